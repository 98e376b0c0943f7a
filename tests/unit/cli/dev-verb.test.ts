import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devVerb } from '../../../src/cli/dev-verb.ts'
import { parseDevCommand } from '../../../src/config/dev-command.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { fakeControl } from '../../support/fake-control.ts'
import { smallApp } from '../../support/small-app.ts'

const { control, calls } = fakeControl()
const RAW = `0:${'51'.repeat(32)}`
const folder = mkdtempSync(join(tmpdir(), 'tonlith-verb-'))
let server: ReturnType<typeof Bun.serve>
let other: ReturnType<typeof Bun.serve>

beforeAll(() => {
  const [app, plain] = [smallApp({ dev: { control, globalConfig: '{}' } }), smallApp()]
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.handle(request) })
  other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => plain.handle(request) })
})
afterAll(async () => {
  await server.stop(true)
  await other.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const run = async (line: string, port = server.port!): Promise<string[]> => {
  const lines: string[] = []
  const { action } = parseDevCommand(line.split(' '))
  await devVerb(action, { listen: { host: '0.0.0.0', port } }, (text) => lines.push(text))
  return lines
}

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('prints', () => {
  test('what was done, as lines', async () => {
    expect(await run(`faucet ${RAW} 1.5`)).toEqual(['paid 1.5 TON in block 13', `transaction ${'bb'.repeat(32)}`])
    expect(await run('mine 3')).toEqual(['block 13 of 2030-03-17T17:46:42Z'])
    expect(await run('time now')).toEqual(['1900000001 (2030-03-17T17:46:41Z)'])
    expect(await run('time +3599')).toEqual(['1900003600 (2030-03-17T18:46:40Z)'])
    expect(await run('split 8000000000000000')).toEqual(['block 13 of 2030-03-17T17:46:42Z'])
    expect(await run('snapshot a')).toEqual(['block 13 of 2030-03-17T17:46:42Z'])
    expect(calls).toEqual([
      ['faucet', RAW, 1_500_000_000n],
      ['mine', 3],
      ['setTime', { advance: 3599 }],
      ['resplit', 'split', '8000000000000000'],
      ['snapshot', 'a'],
    ])
  })

  test('the state', async () => {
    const lines = await run('status')
    expect(lines[0]).toBe('block 12 of 2030-03-17T17:46:40Z')
    expect(lines).toContain('shard 0:8000000000000000  7')
    expect(lines.at(-1)).toBe('snapshots first')
  })

  test('what came of a file, whatever form it has', async () => {
    const boc = cellToBoc(beginCell().uint(1, 8).endCell())
    for (const content of [boc, boc.toString('hex'), `${boc.toString('base64')}\n`]) {
      calls.length = 0
      await run(`config 5 ${file('param', content)}`)
      expect(calls).toEqual([['setConfig', 5, boc]])
    }
    expect(await run(`load ${file('accounts', '[]')}`)).toEqual([
      'accounts put in: 2',
      expect.stringContaining('already there EQ'),
      'block 13 of 2030-03-17T17:46:42Z',
    ])
  })
})

describe('refuses, in one line', () => {
  test.each([
    ['faucet nobody 1', 'address must be an account address'],
    ['restore x', 'there is no snapshot'],
    ['config 5 /nowhere/x', '/nowhere/x cannot be read: ENOENT'],
  ])('%s', async (line, message) => {
    await expect(run(line)).rejects.toThrow(message)
  })

  test('files that are none', async () => {
    await expect(run(`config 5 ${file('no-boc', 'hello')}`)).rejects.toThrow('has no bag of cells')
    await expect(run(`load ${file('long', Buffer.alloc(800 << 10))}`)).rejects.toThrow('more than')
  })

  test('where no live network runs', async () => {
    const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('x') })
    const { port } = free
    await expect(run('status', port)).rejects.toThrow('no live network of tonlith dev answers')
    await free.stop(true)
    for (const at of [port!, other.port!])
      await expect(run('status', at)).rejects.toThrow(
        `no live network of tonlith dev answers at http://127.0.0.1:${at}`,
      )
    await expect(run('faucet 0:1 1', other.port!)).rejects.toThrow('no live network of tonlith dev answers')
    await expect(run('status', 0)).rejects.toThrow('name it with --listen')
  })
})
