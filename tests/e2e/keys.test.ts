import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { globalConfigOf } from '../support/served-gateway.ts'

/** `tonlith keys` beside a running server, and what it makes of requests with and without its keys. */

const METHOD = 'getMasterchainInfo'
const HEADS = { common: 100, own: 200 }
/** Requests a second that no test can use up, and so few that no second one comes in time. */
const [MANY, FEW] = [100_000, 2]

let alone: Lonely
let servers: Record<keyof typeof HEADS, Liteserver>
let gateway: Running
const secrets: string[] = []

const keys = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['keys', ...args])
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

const addKey = async (name: string, ...flags: string[]): Promise<string> => {
  const secret = await keys('add', name, ...flags)
  secrets.push(secret)
  return secret
}

const endpointOf = ({ address, publicKey }: Liteserver) => ({ ...address, key: publicKey })

beforeAll(async () => {
  alone = await copyExecutable()
  const [common, own] = await Promise.all([startArchive({ head: HEADS.common }), startArchive({ head: HEADS.own })])
  servers = { common, own }
  writeFileSync(join(alone.folder, 'common.json'), globalConfigOf([endpointOf(common)]))
  writeFileSync(join(alone.folder, 'own.json'), globalConfigOf([endpointOf(own)]))
  writeFileSync(
    join(alone.folder, 'settings.toml'),
    `[plans]\nfree.rps = ${MANY}\nslow.rps = ${FEW}\nown.rps = ${MANY}\nown.global_config = 'own.json'\n`,
  )
  const flags = ['--listen', '127.0.0.1:0', '--global-config', 'common.json', '--trust', 'proofs', '--index', 'off']
  const more = ['--config', 'settings.toml', '--trust-proxy', '1', '--log', 'json', '--log-level', 'debug']
  gateway = await startExecutable(alone, ['serve', ...flags, ...more])
})
afterAll(async () => {
  await gateway.end('SIGKILL')
  await Promise.all(Object.values(servers).map(({ stop }) => stop()))
  alone.remove()
})

let clients = 0
/** Each request comes from another client, as the proxy says, unless one is named. */
const ask = async (query = '', headers: Record<string, string> = {}, init: RequestInit & { path?: string } = {}) => {
  const client = `192.0.2.${clients++ % 250}`
  const { path = `/api/v2/${METHOD}`, ...rest } = init
  const response = await fetch(`${gateway.url}${path}${query}`, {
    ...rest,
    headers: { 'x-forwarded-for': client, ...headers },
  })
  const body = (await response.json()) as { result?: { last: { seqno: number } } }
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') }
}

/** Asks until the server has seen what another process wrote, for at most a second. */
const untilStatus = async (wanted: number, secret: string): Promise<number> => {
  const end = performance.now() + 1_000
  for (;;) {
    const { status } = await ask('', { 'X-API-Key': secret })
    if (status === wanted || performance.now() > end) return status
    await Bun.sleep(10)
  }
}

const LIMITED = { ok: false, error: 'Ratelimit exceeded', code: 429, '@extra': '_' }

describe('a key', () => {
  test('is known while the server runs from its making to its end', async () => {
    const secret = await addKey('first', '--config', 'settings.toml')
    expect(await untilStatus(200, secret)).toBe(200)
    expect((await ask(`?api_key=${secret}`)).status).toBe(200)
    await keys('revoke', 'first')
    expect(await untilStatus(401, secret)).toBe(401)
    expect((await ask(`?api_key=${secret}`)).body).toMatchObject({
      ok: false,
      error: 'API key does not exist',
      code: 401,
    })
  })

  test('of another network is refused, and so is an unknown one', async () => {
    const far = await addKey('far', '--network', 'testnet', '--config', 'settings.toml')
    expect(await ask(`?api_key=${far}`)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'Network not allowed', code: 403 },
    })
    expect(await ask('?api_key=nobody-has-this')).toMatchObject({ status: 401 })
    expect((await ask(`?api_key=${far}`, { 'X-API-Key': 'nobody-has-this' })).status).toBe(401)
  })

  test('shares the rate of its plan with the other keys of its owner alone', async () => {
    const add = (name: string, owner: string) =>
      addKey(name, '--owner', owner, '--plan', 'slow', '--config', 'settings.toml')
    const [first, second, other] = [
      await add('till 1', 'shop'),
      await add('till 2', 'shop'),
      await add('kiosk', 'kiosk'),
    ]
    const burst = await Promise.all([first, second, first, second, first, second].map((key) => ask(`?api_key=${key}`)))
    const passed = burst.filter(({ status }) => status === 200)
    expect(passed.length).toBeGreaterThanOrEqual(FEW)
    expect(passed.length).toBeLessThan(burst.length)
    for (const { status, body, retryAfter } of burst.filter((each) => each.status !== 200))
      expect([status, body, retryAfter]).toEqual([429, LIMITED as never, '1'])
    expect((await ask(`?api_key=${other}`)).status).toBe(200)
    await keys('set', 'till 2', '--plan', 'free', '--config', 'settings.toml')
    await Bun.sleep(50)
    const statuses = await Promise.all(Array.from({ length: 6 }, () => ask(`?api_key=${second}`)))
    expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
  })

  test('of a plan with liteservers of its own is answered from those, and nobody else is', async () => {
    const [own, free] = [
      await addKey('own', '--plan', 'own', '--config', 'settings.toml'),
      await addKey('free', '--config', 'settings.toml'),
    ]
    const seqnoFor = async (query: string) => (await ask(query)).body.result?.last.seqno
    expect(await seqnoFor(`?api_key=${free}`)).toBe(HEADS.common)
    expect(await seqnoFor('')).toBe(HEADS.common)
    const asked = async (server: number): Promise<number> => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      const line = `tonlith_liteserver_queries_total\\{server="${server}",method="liteServer.getAccountState",[^}]*\\} (\\d+)`
      return [...metrics.matchAll(new RegExp(line, 'g'))].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    const path = '/api/v2/getAddressInformation'
    const address = `&address=-1:${'3'.repeat(64)}`
    for (const query of [`?api_key=${free}${address}`, `?${address}`])
      expect((await ask(query, {}, { path })).status).toBe(200)
    expect(await asked(1)).toBe(0)
    expect((await ask(`?api_key=${own}${address}`, {}, { path })).status).toBe(200)
    expect(await asked(1)).toBe(1)
    expect(await seqnoFor(`?api_key=${own}`)).toBe(HEADS.own)
  })
})

describe('without a key', () => {
  test('a client has one request a second, as the trusted proxy names it', async () => {
    const from = (client: string) => ask('', { 'x-forwarded-for': client })
    expect((await from('6.6.6.6, 198.51.100.1')).status).toBe(200)
    const refused = await from('7.7.7.7, 198.51.100.1')
    expect([refused.status, refused.body, refused.retryAfter]).toEqual([429, LIMITED as never, '1'])
    expect((await from('198.51.100.2')).status).toBe(200)
    expect((await from('2001:db8:0:1::1')).status).toBe(200)
    expect((await from('2001:db8:0:1:ffff::2')).status).toBe(429)
    expect((await from('2001:db8:0:2::1')).status).toBe(200)
  })

  test('each call of a batch counts', async () => {
    const body = JSON.stringify([1, 2, 3].map((id) => ({ id, method: METHOD, params: {} })))
    const batch = { method: 'POST', body, path: '/api/v2/jsonRPC' }
    expect((await ask('', {}, batch)).status).toBe(429)
    expect((await ask(`?api_key=${await addKey('batches', '--config', 'settings.toml')}`, {}, batch)).status).toBe(200)
  })
})

test('mistakes on the command line end in one line', async () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runExecutable(alone, ['keys', ...args])
    expect(stdout).toBe('')
    expect(stderr.trimEnd()).not.toContain('\n')
    return [code, stderr] as const
  }
  expect(await run('drop', 'x')).toEqual([2, expect.stringContaining('tonlith keys does not know drop')])
  expect(await run('revoke', 'nobody')).toEqual([1, expect.stringContaining('there is no valid key nobody')])
  expect(await run('add', 'x', '--plan', 'gold')).toEqual([1, expect.stringContaining('there is no plan gold')])
  expect(await run('list', '--data', 'common.json')).toEqual([1, expect.stringContaining('there is no such folder')])
})

test('secrets stand neither in the list, nor the log, nor the metrics, nor on the disk', async () => {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  const folder = join(alone.folder, 'data/operator')
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const texts = [await keys('list'), gateway.stderr(), metrics, ...files]
  expect(texts[1]).toContain('"caller":"own"')
  expect(secrets.length).toBeGreaterThan(5)
  for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret)
})
