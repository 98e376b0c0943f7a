import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'

const METHOD = '/api/v2/getMasterchainInfo'
/** RFC 8032's first test key: a valid key that nobody's liteserver has. */
const SOME_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const dev = (...flags: string[]) => startExecutable(alone, ['dev', '--listen', '127.0.0.1:0', ...flags])

const ask = async ({ url }: Running, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url + path, { headers })
  return { status: response.status, body: (await response.json()) as { ok?: boolean; error?: string; ready?: boolean } }
}

describe('keys and limits', () => {
  let gateway: Running
  beforeAll(async () => {
    writeFileSync(
      join(alone.folder, 'keys.toml'),
      '[[keys]]\nname = "own"\nkey = "key-of-this-network"\nnetwork = "dev"\nrps = 2\n' +
        '[[keys]]\nname = "far"\nkey = "key-of-another-network"\nnetwork = "mainnet"\nrps = 0\n',
    )
    gateway = await dev('--keys-file', 'keys.toml', '--keyless-rps', '1', '--log', 'json', '--log-level', 'debug')
  })
  afterAll(() => gateway.end('SIGKILL'))

  test('one request a second without a key', async () => {
    const answers = [await ask(gateway, METHOD), await ask(gateway, METHOD)]
    expect(answers.map(({ status }) => status)).toEqual([200, 429])
    expect(answers[1]?.body.error).toBe('Ratelimit exceeded')
  })

  test('the rate of the key with one', async () => {
    const headers = { 'X-API-Key': 'key-of-this-network' }
    const statuses = [await ask(gateway, METHOD, headers), await ask(gateway, METHOD, headers)].map((a) => a.status)
    expect(statuses).toEqual([200, 200])
    expect((await ask(gateway, METHOD, headers)).status).toBe(429)
  })

  test('keys of other networks and unknown ones are refused', async () => {
    expect(await ask(gateway, `${METHOD}?api_key=key-of-another-network`)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'Network not allowed' },
    })
    expect(await ask(gateway, `${METHOD}?api_key=nobody-has-this`)).toMatchObject({
      status: 401,
      body: { ok: false, error: 'API key does not exist' },
    })
  })

  test('no key stands in the log', () => {
    expect(gateway.stderr()).toContain('"caller":"own"')
    expect(gateway.stderr()).not.toContain('key-of-')
    expect(gateway.stderr()).not.toContain('nobody-has-this')
  })
})

test('SIGTERM under load: every request that got through is answered, exit code 0', async () => {
  const gateway = await dev('--log-level', 'warn')
  const broken: string[] = []
  let answered = 0
  let ending = false
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        const { status } = await ask(gateway, `/api/v2/getAddressInformation?address=-1:${'3'.repeat(64)}`)
        if (status !== 200) broken.push(`status ${status}`)
        answered++
      } catch (error) {
        if (!ending || !/connect|closed|reset/i.test(String(error))) broken.push(String(error))
        return
      }
    }
  }
  const clients = Array.from({ length: 16 }, client)
  await Bun.sleep(500)
  ending = true
  const started = performance.now()
  expect(await gateway.end()).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)
  await Promise.all(clients)
  expect(broken).toEqual([])
  expect(answered).toBeGreaterThan(16)
})

test('without any liteserver it starts, says so, and answers JSON', async () => {
  const block = { root_hash: Buffer.alloc(32).toString('base64'), file_hash: Buffer.alloc(32).toString('base64') }
  const config = {
    liteservers: [{ ip: 2130706433, port: 9, id: { key: SOME_KEY } }],
    validator: { zero_state: { workchain: -1, seqno: 0, ...block } },
  }
  writeFileSync(join(alone.folder, 'global.json'), JSON.stringify(config))
  const gateway = await startExecutable(alone, ['serve', '--listen', '127.0.0.1:0', '--global-config', 'global.json'])
  try {
    expect((await ask(gateway, '/healthcheck')).status).toBe(200)
    expect(await ask(gateway, '/ready')).toMatchObject({ status: 503, body: { ready: false } })
    expect(await ask(gateway, METHOD)).toMatchObject({ status: 503, body: { ok: false } })
    expect(gateway.stderr()).toContain('no liteserver answers yet')
    expect(gateway.stderr()).toContain('127.0.0.1:9')
    for (const path of ['/ready', '/status', '/metrics', METHOD])
      expect(await (await fetch(gateway.url + path)).text()).not.toContain('127.0.0.1')
  } finally {
    expect(await gateway.end()).toBe(0)
  }
})

test('replay moves the head on', async () => {
  const gateway = await dev('--head', '10', '--replay', '200')
  try {
    const seqno = async () => {
      const response = await fetch(gateway.url + METHOD)
      return ((await response.json()) as { result: { last: { seqno: number } } }).result.last.seqno
    }
    const before = await seqno()
    await Bun.sleep(1_500)
    const after = await seqno()
    expect(before).toBeGreaterThanOrEqual(10)
    expect(after).toBeGreaterThan(before)
    expect(after).toBeLessThan(200)
  } finally {
    await gateway.end()
  }
})
