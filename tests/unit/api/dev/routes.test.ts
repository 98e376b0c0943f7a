import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../../src/common/errors.ts'
import { fakeControl } from '../../../support/fake-control.ts'
import { ask, post, type SmallApp, smallApp } from '../../../support/small-app.ts'

const RAW = `0:${'51'.repeat(32)}`
const JSON_TYPE = { 'content-type': 'application/json' }

const appWith = (...given: Parameters<typeof fakeControl>): { app: SmallApp; calls: unknown[][] } => {
  const { control, calls } = fakeControl(...given)
  return { app: smallApp({ dev: { control, globalConfig: '{"liteservers":[]}' } }), calls }
}

const send = (app: SmallApp, path: string, body: unknown, headers = {}) =>
  post(app, path, body, { ...JSON_TYPE, ...headers })

describe('what is called for', () => {
  test.each([
    ['faucet', { address: RAW, amount: '1' }, ['faucet', RAW, 1n]],
    ['faucet', { address: RAW, amount: String(2n ** 70n) }, ['faucet', RAW, 2n ** 70n]],
    ['mine', {}, ['mine', 1]],
    ['mine', { blocks: 25 }, ['mine', 25]],
    ['time', { now: 5 }, ['setTime', { now: 5 }]],
    ['time', { advance: 5 }, ['setTime', { advance: 5 }]],
    ['resplit', { action: 'split', shard: 'C000000000000000' }, ['resplit', 'split', 'c000000000000000']],
    ['config', { param: -7, boc: 'AAEC' }, ['setConfig', -7, Buffer.of(0, 1, 2)]],
    ['load', { file: 'AAEC' }, ['load', { file: Buffer.of(0, 1, 2) }]],
    ['snapshot', { name: 'a.b-c_d' }, ['snapshot', 'a.b-c_d']],
  ])('%s %j', async (path, body, call) => {
    const { app, calls } = appWith()
    expect((await send(app, `/dev/${path}`, body)).status).toBe(200)
    expect(calls).toEqual([call as unknown[]])
  })

  test('numbers keep their digits in the answer', async () => {
    const { json } = await send(appWith().app, '/dev/faucet', { address: RAW, amount: '1' })
    expect(json).toEqual({
      message_hash: 'aa'.repeat(32),
      transaction_hash: 'bb'.repeat(32),
      lt: '1152921504606846977',
      mc_seqno: 13,
    })
  })
})

describe('what is refused', () => {
  test.each([
    ['faucet', {}, 'address is missing: it must be an account address'],
    ['faucet', { address: 'x', amount: '1' }, 'address must be an account address'],
    ['faucet', { address: RAW, amount: 1 }, 'amount must be nanotons as a decimal string'],
    ['faucet', { address: RAW, amount: '0' }, 'amount must be nanotons'],
    ['faucet', { address: RAW, amount: '9'.repeat(37) }, 'amount must be nanotons'],
    ['faucet', { address: RAW, amount: '1', ammount: '1' }, 'there is no field ammount; did you mean amount?'],
    ['faucet', [], 'body must be an object'],
    ['mine', { blocks: 0 }, 'blocks must be a whole number from 1 to 10000'],
    ['mine', { blocks: 1.5 }, 'blocks must be a whole number'],
    ['mine', { blocks: null }, 'blocks must be a whole number'],
    ['time', {}, 'either now or advance must be given'],
    ['time', { now: 1, advance: 1 }, 'either now or advance must be given'],
    ['resplit', { action: 'cut', shard: '8000000000000000' }, 'action must be split or merge'],
    ['config', { param: 0, boc: 'é' }, 'boc must be bytes in base64'],
    ['snapshot', { name: '../x' }, 'name must be 1 to 64'],
    ['mine', '{', 'malformed JSON'],
  ])('%s %j', async (path, body, error) => {
    const { app, calls } = appWith()
    const seen = await send(app, `/dev/${path}`, body)
    expect([seen.status, calls]).toEqual([422, []])
    expect((seen.json as { error: string }).error).toContain(error)
  })

  test('what the network refuses, in its words', async () => {
    const refusing = (error: TonlithError) => appWith({ mine: () => Promise.reject(error) }).app
    const cases = [
      [new TonlithError('invalid', 'not so'), 422, 'not so'],
      [new TonlithError('timeout', 'it may still come', { code: 504 }), 504, 'it may still come'],
      [new TonlithError('unavailable', 'being replaced', { code: 503 }), 503, 'being replaced'],
      [new TonlithError('conflict', 'taken'), 409, 'taken'],
      [new TonlithError('internal', '/secret/path'), 500, 'internal error'],
    ] as const
    for (const [error, status, text] of cases) {
      const seen = await send(refusing(error), '/dev/mine', {})
      expect([seen.status, seen.json]).toEqual([status, { ok: false, error: text, code: status, '@extra': '_' }])
    }
    expect((await send(appWith().app, '/dev/restore', { name: 'x' })).status).toBe(404)
  })

  test('a body that is too long', async () => {
    const seen = await send(appWith().app, '/dev/load', { file: 'A'.repeat(2 << 20) })
    expect(seen.status).toBe(413)
  })

  test('other verbs', async () => {
    const { app } = appWith()
    for (const path of ['/dev/mine', '/dev/faucet']) expect((await ask(app, path)).status).toBe(405)
    for (const path of ['/dev', '/dev/status', '/dev/global-config.json'])
      expect((await ask(app, path, { method: 'POST', body: '{}' })).status).toBe(405)
  })
})

describe('pages of other origins', () => {
  test('cannot send what a form can send', async () => {
    const { app, calls } = appWith()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      const seen = await ask(app, '/dev/mine', { method: 'POST', body: Buffer.from('{}'), headers })
      expect(seen.status).toBe(415)
    }
    expect(calls).toEqual([])
  })

  test('are refused by their origin; our own page is not', async () => {
    const { app, calls } = appWith()
    for (const origin of ['https://evil.example', 'http://localhost:1', 'null'])
      expect((await send(app, '/dev/mine', {}, { origin, host: 'localhost' })).status).toBe(403)
    expect(calls).toEqual([])
    expect((await send(app, '/dev/mine', {}, { origin: 'http://localhost', host: 'localhost' })).status).toBe(200)
  })

  test('whose name was made to lead here see no wallet and make no block', async () => {
    const { app, calls } = appWith()
    const host = 'rebound.example:8081'
    for (const path of ['/dev', '/dev/status', '/dev/page.js', '/dev/global-config.json'])
      expect((await ask(app, path, { headers: { host } })).status).toBe(403)
    expect((await send(app, '/dev/mine', {}, { host, origin: `http://${host}` })).status).toBe(403)
    expect(calls).toEqual([])
    for (const own of ['127.0.0.1:8081', '[::1]:8081', 'tonlith:8081'])
      expect((await ask(app, '/dev/status', { headers: { host: own } })).status).toBe(200)
  })

  test('may not ask, and not read', async () => {
    const { app } = appWith()
    const preflight = await ask(app, '/dev/mine', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, null])
    for (const path of ['/dev', '/dev/status', '/dev/page.js'])
      expect((await ask(app, path)).headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask(app, '/healthcheck')).headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('the page', () => {
  test('shows everything without a script', async () => {
    const { text, headers } = await ask(appWith().app, '/dev')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(text).toContain('<strong id="seqno">12</strong>')
    expect(text).toContain('8000000000000000')
    expect(text).toContain('these are &lt;not&gt; &quot;words&quot;')
    expect(text).toContain('href="/docs"')
    expect(text).toContain('UQAiIiIi')
  })

  test('has a script that parses', async () => {
    const { text } = await ask(appWith().app, '/dev/page.js')
    expect(() => new Function(text)).not.toThrow()
  })
})

describe('without a live network', () => {
  test('there is nothing below /dev', async () => {
    const app = smallApp()
    for (const path of ['/dev', '/dev/status', '/dev/mine']) expect((await ask(app, path)).status).toBe(404)
  })

  test('no document tells of it', async () => {
    const paths = async (app: SmallApp): Promise<string[]> =>
      Object.keys(((await ask(app, '/openapi.json')).json as { paths: object }).paths).filter((path) =>
        path.startsWith('/dev'),
      )
    expect(await paths(smallApp())).toEqual([])
    expect((await paths(appWith().app)).sort()).toEqual(
      [
        'config',
        'faucet',
        'global-config.json',
        'load',
        'mine',
        'resplit',
        'restore',
        'snapshot',
        'status',
        'time',
      ].map((name) => `/dev/${name}`),
    )
  })
})

test('clients of its liteserver are given its global config', async () => {
  expect((await ask(appWith().app, '/dev/global-config.json')).json).toEqual({ liteservers: [] })
})

test('the state is shown in friendly forms', async () => {
  const { json } = await ask(appWith().app, '/dev/status')
  expect(json).toMatchObject({ seqno: 12, now: 1_900_000_001, pending: 3, snapshots: ['first'], block_interval: 400 })
  expect((json as { faucet: string }).faucet).toMatch(/^EQ/)
  expect((json as { wallets: { address: string }[] }).wallets[0]!.address).toMatch(/^UQ/)
})
