import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

const METHOD = '/api/v2/getMasterchainInfo'
/** RFC 8032's first test key: a valid key that nobody's liteserver has. */
const SOME_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const dev = (...flags: string[]) => startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', ...flags])

const ask = async ({ url }: Running, path: string) => {
  const response = await fetch(url + path)
  return { status: response.status, body: (await response.json()) as { ok?: boolean; error?: string; ready?: boolean } }
}

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

test('SIGHUP ends nothing; a second SIGTERM waits for nobody', async () => {
  const gateway = await dev('--log-level', 'warn')
  gateway.signal('SIGHUP')
  await Bun.sleep(200)
  expect((await ask(gateway, '/healthcheck')).status).toBe(200)
  const body = new ReadableStream({ pull: () => new Promise(() => {}) })
  const unfinished = fetch(`${gateway.url}/api/v2/jsonRPC`, { method: 'POST', body }).catch(() => undefined)
  await Bun.sleep(200)
  gateway.signal('SIGTERM')
  await Bun.sleep(200)
  expect(await gateway.end('SIGTERM')).toBe(1)
  await unfinished
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
