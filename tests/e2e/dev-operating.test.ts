import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'

/** The verbs of `tonlith dev`, and what becomes of API and index when the chain goes back. */

const SOMEBODY = `0:${'51'.repeat(32)}`
const PATIENCE_MS = 30_000

let alone: Lonely
let network: LiveNetwork
let data: string

beforeAll(async () => {
  alone = await copyExecutable()
  data = join(alone.folder, 'data')
  network = await startLiveNetwork(alone, data, '--block-interval', 'manual', '--time', '1900000000', '--shards', '1')
}, 120_000)
afterAll(async () => {
  await network?.end()
  alone?.remove()
}, 60_000)

const dev = async (...words: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['dev', ...words, '--listen', new URL(network.url).host])
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
  return stdout.trim().split('\n')
}

const balance = async (): Promise<string> =>
  (await network.get<{ result: string }>(`/api/v2/getAddressBalance?address=${SOMEBODY}`)).result

/** What the index says once it has reached the head. */
const indexed = async <T>(path: string, of = network): Promise<T> => {
  const { seqno } = await of.status()
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const response = await fetch(`${of.url}/api/v3/${path}${path.includes('?') ? '&' : '?'}min_mc_seqno=${seqno}`)
    if (response.ok) return (await response.json()) as T
    if (Date.now() > end) throw new Error(await response.text())
    await Bun.sleep(100)
  }
}

const paid = async (of = network): Promise<number> =>
  (await indexed<{ transactions: unknown[] }>(`transactions?account=${SOMEBODY}`, of)).transactions.length

describe('the verbs', () => {
  test('pay, make blocks and move the clock', async () => {
    const { seqno } = await network.status()
    expect((await dev('faucet', SOMEBODY, '1.5'))[0]).toMatch(/^paid 1\.5 TON in block \d+$/)
    await dev('mine', '2')
    expect(await balance()).toBe('1500000000')
    expect((await network.status()).seqno).toBeGreaterThan(seqno + 2)
    const [before] = await dev('time', 'now')
    const [after] = await dev('time', '+3600')
    expect(Number(after!.split(' ')[0]) - Number(before!.split(' ')[0])).toBe(3600)
    const [head] = await dev('mine')
    expect(head).toBe(`block ${(await network.status()).seqno} of ${after!.slice(after!.indexOf('(') + 1, -1)}`)
  })

  test('put accounts in', async () => {
    const address = `0:${'52'.repeat(32)}`
    const file = join(alone.folder, 'accounts.json')
    writeFileSync(file, JSON.stringify([{ address, balance: '123456789' }]))
    expect((await dev('load', file))[0]).toBe('accounts put in: 1')
    const { result } = await network.get<{ result: string }>(`/api/v2/getAddressBalance?address=${address}`)
    expect(result).toBe('123456789')
  })

  test('end with one line and exit code 1 for what the network refuses, with 2 for what nobody understands', async () => {
    const at = ['--listen', new URL(network.url).host]
    const refused = await runExecutable(alone, ['dev', 'split', '4000000000000000', ...at])
    expect([refused.code, refused.stderr]).toEqual([1, 'tonlith: shard 4000000000000000 is not there\n'])
    const unknown = await runExecutable(alone, ['dev', 'mint', ...at])
    expect(unknown.code).toBe(2)
    const nobody = await runExecutable(alone, ['dev', 'mine', '--listen', '127.0.0.1:9'])
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      'tonlith: no live network of tonlith dev answers at http://127.0.0.1:9\n',
    ])
  })
})

test('doctor looks at the network that runs, and at the index that is being written', async () => {
  await paid()
  const { init } = (
    await network.get<{ result: { init: { root_hash: string; file_hash: string } } }>('/api/v2/getMasterchainInfo')
  ).result
  const { host, port, key } = network.liteserver
  const config = {
    liteservers: [{ ip: host, port, id: { key: key.toString('base64') } }],
    validator: { zero_state: { root_hash: init.root_hash, file_hash: init.file_hash } },
  }
  writeFileSync(join(alone.folder, 'network.json'), JSON.stringify(config))
  const flags = ['--json', '--global-config', 'network.json', '--data', join(data, 'dev')]
  const { stdout } = await runExecutable(alone, ['doctor', ...flags])
  const { findings } = JSON.parse(stdout) as { findings: { subject: string; verdict: string }[] }
  // The network's own clock is far ahead.
  expect(findings.filter(({ verdict }) => verdict === 'failed').map(({ subject }) => subject)).toEqual(['clock'])
  const { seqno } = await network.status()
  expect(findings).toContainEqual(expect.objectContaining({ subject: `liteserver ${host}:${port}`, seqno }))
  expect(findings).toContainEqual(expect.objectContaining({ subject: 'index', exists: true }))
})

describe('a snapshot', () => {
  test('is gone back to by chain, API and index alike', async () => {
    const known = await paid()
    await dev('snapshot', 'before')
    const { seqno } = await network.status()
    await dev('faucet', SOMEBODY, '7')
    await dev('mine', '3')
    expect(await balance()).toMatch(/^8[45]\d{8}$/)
    expect(await paid()).toBe(known + 1)
    const orphan = await network.get<{ result: { last: { seqno: number; root_hash: string } } }>(
      '/api/v2/getMasterchainInfo',
    )
    await dev('restore', 'before')
    expect((await network.status()).seqno).toBe(seqno)
    expect(await balance()).toMatch(/^1[45]\d{8}$/)
    expect(await paid()).toBe(known)
    await dev('mine', '9')
    const { seqno: again, root_hash } = orphan.result.last
    const block = `workchain=-1&shard=-9223372036854775808&seqno=${again}`
    const now = await network.get<{ result: { root_hash: string } }>(`/api/v2/lookupBlock?${block}`)
    expect(now.result.root_hash).not.toBe(root_hash)
    expect(await paid()).toBe(known)
  }, 120_000)

  test('that is not there costs nothing', async () => {
    await expect(dev('restore', 'nothing')).rejects.toThrow('there is no snapshot nothing')
    expect((await fetch(`${network.url}/ready`)).status).toBe(200)
  })
})

test('a second one in the same folder does not start', async () => {
  const { code, stderr } = await runExecutable(alone, ['dev', '--data', data, '--listen', '127.0.0.1:0'])
  expect(code).toBe(1)
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^tonlith: .*another process/)
})

test('the index is verified against the chain while that runs, and goes on', async () => {
  await paid()
  const home = join(data, 'dev')
  const verified = await runExecutable(alone, ['index', 'verify', '--data', home])
  expect([verified.code, verified.stderr]).toEqual([0, ''])
  const audited = await runExecutable(alone, ['index', 'verify', '--live', 'all', '--data', home])
  expect([audited.code, audited.stderr]).toEqual([0, ''])
  expect(audited.stdout).toContain(' 0 differences')
  await dev('mine')
}, 120_000)

test('a backup with the index has the network, which goes on from it; a plain one says that it has not', async () => {
  const backup = (...words: string[]) => runExecutable(alone, ['backup', ...words])
  const known = await paid()
  const { seqno } = await network.status()
  const plain = await backup(join(alone.folder, 'plain'), '--data', data)
  expect(plain.stdout).toContain(`not in it: the network of tonlith dev in ${join(data, 'dev')} (--with-index`)
  const copy = join(alone.folder, 'copy')
  const whole = await backup(copy, '--with-index', '--data', data)
  expect([whole.code, whole.stderr]).toEqual([0, ''])
  for (const part of ['operator', 'dev/operator', 'dev/index', 'dev/chain']) expect(whole.stdout).toContain(`${part}: `)
  const none = await backup(join(alone.folder, 'none'), '--with-index', '--data', join(alone.folder, 'plain'))
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no index in')])
  expect(existsSync(join(alone.folder, 'none'))).toBe(false)
  const restored = await startLiveNetwork(alone, copy, '--block-interval', 'manual', '--time', '1900000000')
  try {
    expect((await restored.status()).seqno).toBe(seqno)
    expect(await paid(restored)).toBe(known)
  } finally {
    await restored.end()
  }
}, 120_000)

test('the index of a network that has ended is verified against its chain', async () => {
  await paid()
  expect(await network.end()).toBe(0)
  const home = join(data, 'dev')
  const verified = await runExecutable(alone, ['index', 'verify', '--data', home])
  expect([verified.code, verified.stderr]).toEqual([0, ''])
  const audited = await runExecutable(alone, ['index', 'verify', '--live', 'all', '--data', home])
  expect(audited.stdout).toContain(' 0 differences')
  expect(audited.code).toBe(0)
}, 120_000)
