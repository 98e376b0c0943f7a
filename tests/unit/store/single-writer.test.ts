import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { claimWriter } from '../../../src/store/single-writer.ts'
import { failureOf } from '../../support/failure.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-writer-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SOURCE = resolve(import.meta.dir, '../../../src/store/single-writer.ts')

/** Another process that claims the file, says so, and lives until it is killed. */
const claimElsewhere = async (file: string) => {
  const script = `
    const { claimWriter } = await import(${JSON.stringify(SOURCE)})
    globalThis.claim = claimWriter(${JSON.stringify(file)})
    console.log('claimed')
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('claimed\n')
  return child
}

describe('a claim', () => {
  test('is had by one at a time, also in one process', () => {
    const file = join(folder, 'deep', 'index.writer')
    const claim = claimWriter(file)
    expect(failureOf(() => claimWriter(file))).toBe('conflict')
    claimWriter(join(folder, 'other.writer')).release()
    claim.release()
    claimWriter(file).release()
  })

  test('ends with its process, even a killed one', async () => {
    const file = join(folder, 'killed.writer')
    const child = await claimElsewhere(file)
    expect(failureOf(() => claimWriter(file))).toBe('conflict')
    child.kill('SIGKILL')
    await child.exited
    claimWriter(file).release()
  })

  test('cannot be made where no file can be', () => {
    expect(failureOf(() => claimWriter(folder))).toBe('unavailable')
  })
})
