import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TonlithError } from '../../../src/common/errors.ts'
import { isEd25519Key } from '../../../src/liteserver/curve25519.ts'
import { loadGlobalConfig, parseGlobalConfig } from '../../../src/liteserver/global-config.ts'
import { knownNetwork } from '../../../src/liteserver/known-networks.ts'
import { SHARD_ALL } from '../../../src/ton/block-id.ts'

const key = 'n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk='
const hash = Buffer.alloc(32, 5).toString('base64')
const server = { ip: 2130706433, port: 4924, id: { '@type': 'pub.ed25519', key } }
const zero = { workchain: -1, shard: -(2 ** 63), seqno: 0, root_hash: hash, file_hash: hash }
const config = { liteservers: [server], validator: { zero_state: zero, init_block: { ...zero, seqno: 7 } } }
const text = (changes: object): string => JSON.stringify({ ...config, ...changes })

describe('what a global config says', () => {
  test('servers, zero state, init block', () => {
    const block = {
      workchain: -1,
      shard: SHARD_ALL,
      seqno: 0,
      root_hash: Buffer.alloc(32, 5),
      file_hash: Buffer.alloc(32, 5),
    }
    expect(parseGlobalConfig(text({}))).toEqual({
      liteservers: [{ host: '127.0.0.1', port: 4924, key: Buffer.from(key, 'base64') }],
      zeroState: block,
      initBlock: { ...block, seqno: 7 },
    })
  })

  test('without init block trust starts at the zero state', () => {
    const { zeroState, initBlock } = parseGlobalConfig(text({ validator: { zero_state: zero } }))
    expect(initBlock).toEqual(zeroState)
  })

  test.each([
    [84478511, '5.9.10.47'],
    [-2018135749, '135.181.177.59'],
    [2276831547, '135.181.177.59'],
    ['-2018135749', '135.181.177.59'],
    ['135.181.177.59', '135.181.177.59'],
    ['ls.example.org', 'ls.example.org'],
    ['::1', '::1'],
  ])('ip %p', (ip, host) => {
    expect(parseGlobalConfig(text({ liteservers: [{ ...server, ip }] })).liteservers[0]!.host).toBe(host)
  })

  test('a host may be called host', () => {
    const { ip: _, ...rest } = server
    const parsed = parseGlobalConfig(text({ liteservers: [{ ...rest, host: 'localhost' }] }))
    expect(parsed.liteservers[0]!.host).toBe('localhost')
  })
})

describe('errors name the entry', () => {
  test.each([
    ['{', 'not JSON'],
    ['[]', 'the file is no object'],
    [text({ liteservers: [] }), 'liteservers is no list'],
    [text({ liteservers: [server, { ...server, port: 0 }] }), 'liteservers[1].port is no integer from 1 to 65535'],
    [text({ liteservers: [{ ...server, ip: 1.5 }] }), 'liteservers[0].ip is no integer'],
    [text({ liteservers: [{ ...server, ip: 'a b' }] }), 'liteservers[0].ip is neither'],
    [
      text({ liteservers: [{ ...server, id: { key: 'AAAA' } }] }),
      'liteservers[0] (127.0.0.1:4924) id.key is no Ed25519',
    ],
    [text({ liteservers: [{ ...server, id: { key: Buffer.alloc(32, 255).toString('base64') } }] }), 'is no Ed25519'],
    [text({ validator: {} }), 'validator.zero_state is no object'],
    [text({ validator: { zero_state: { ...zero, seqno: 1 } } }), 'validator.zero_state.seqno is not 0'],
    [text({ validator: { zero_state: { ...zero, file_hash: 'x' } } }), 'validator.zero_state.file_hash is no hash'],
    [text({ validator: { zero_state: zero, init_block: { ...zero, workchain: 0 } } }), 'init_block.workchain'],
  ])('%#', (input, message) => {
    expect(() => parseGlobalConfig(input)).toThrow(message)
  })
})

test('the networks that are built in', () => {
  const mainnet = knownNetwork('mainnet')
  const testnet = knownNetwork('testnet')
  expect([mainnet.liteservers.length, testnet.liteservers.length]).toEqual([18, 13])
  for (const { liteservers, zeroState, initBlock } of [mainnet, testnet]) {
    for (const { key } of liteservers) expect(isEd25519Key(key)).toBe(true)
    for (const { root_hash, file_hash } of [zeroState, initBlock]) {
      expect([root_hash.length, file_hash.length]).toEqual([32, 32])
    }
    expect([zeroState.seqno, initBlock.seqno > 0]).toEqual([0, true])
  }
})

describe('where it comes from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-'))
  const web = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/config.json') return new Response(text({}))
      return pathname === '/endless'
        ? new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) }))
        : new Response('no', { status: 404 })
    },
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await web.stop(true)
  })

  const failure = (source: string): Promise<TonlithError> =>
    loadGlobalConfig(source).then(
      () => {
        throw new Error('it did not fail')
      },
      (error: TonlithError) => error,
    )

  test('a file', async () => {
    const path = join(folder, 'config.json')
    writeFileSync(path, text({}))
    expect((await loadGlobalConfig(path)).liteservers.length).toBe(1)
    expect((await failure(join(folder, 'missing.json'))).kind).toBe('connection')
    writeFileSync(path, 'nonsense')
    const { kind, cause } = await failure(path)
    expect([kind, cause]).toEqual(['invalid', undefined])
    Bun.spawnSync(['mkfifo', join(folder, 'pipe.json')])
    expect((await failure(join(folder, 'pipe.json'))).message).toContain('pipe.json: a pipe')
    expect((await failure('/dev/zero')).message).toContain('/dev/zero: a device')
  })

  test('a URL', async () => {
    expect((await loadGlobalConfig(`${web.url}config.json`)).liteservers.length).toBe(1)
    expect((await failure(`${web.url}missing`)).message).toContain('status 404')
    expect((await failure(`${web.url}endless`)).message).toContain('too long')
  })
})
