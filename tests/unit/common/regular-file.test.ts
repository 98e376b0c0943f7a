import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRegularFile, UnreadableFile } from '../../../src/common/regular-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const failure = (path: string, max = 10): UnreadableFile => {
  try {
    readRegularFile(path, max)
  } catch (error) {
    if (error instanceof UnreadableFile) return error
    throw error
  }
  throw new Error('it was read')
}

test('a file, and a link to one, up to a length', () => {
  const path = join(folder, 'file')
  writeFileSync(path, '12345')
  symlinkSync(path, join(folder, 'link'))
  expect(readRegularFile(path, 5).toString()).toBe('12345')
  expect(readRegularFile(join(folder, 'link'), 5).toString()).toBe('12345')
  expect(failure(path, 4).message).toBe('more than 4 bytes')
})

test('nothing else is opened', () => {
  Bun.spawnSync(['mkfifo', join(folder, 'pipe')])
  symlinkSync('nowhere', join(folder, 'dangling'))
  symlinkSync('circle', join(folder, 'circle'))
  const told = (name: string): [string, boolean] => {
    const { message, missing } = failure(join(folder, name))
    return [message, missing]
  }
  expect(told('.')).toEqual(['a directory', false])
  expect(told('pipe')).toEqual(['a pipe', false])
  expect(told('dangling')).toEqual(['a link to nothing', false])
  expect(told('circle')).toEqual(['ELOOP', false])
  expect(told('missing')).toEqual(['ENOENT', true])
  expect(told('file/x')).toEqual(['ENOTDIR', true])
  expect(failure('/dev/zero').message).toBe('a device')
  expect(readRegularFile('/dev/null', 0).length).toBe(0)
})

test('but for a pipe that a shell hands over', () => {
  const module = JSON.stringify(join(import.meta.dir, '../../../src/common/regular-file.ts'))
  const code = `const { readRegularFile } = await import(${module}); console.log(readRegularFile('/dev/stdin', 5).toString())`
  const { stdout, exitCode } = Bun.spawnSync(['sh', '-c', 'printf 12345 | "$0" -e "$1"', process.execPath, code])
  expect([stdout.toString(), exitCode]).toEqual(['12345\n', 0])
})
