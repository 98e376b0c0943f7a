import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
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
  while (answered <= 16) await Bun.sleep(20)
  ending = true
  const started = performance.now()
  expect(await gateway.end()).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)
  await Promise.all(clients)
  expect(broken).toEqual([])
})

/** A connection on which `text` was sent, with all that came back so far. */
const speak = async ({ url }: Pick<Running, 'url'>, text: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return { heard: () => heard, say: (more: string) => socket.write(more), end: () => socket.destroy() }
}

test('SIGTERM beside clients who never end what they say: who does is answered, the others are cut', async () => {
  const gateway = await dev('--log-level', 'warn', '--admin-listen', '127.0.0.1:0')
  const admin = { url: /^admin (\S+)$/m.exec(gateway.lines.join('\n'))![1]! }
  const head = 'POST /api/v2/jsonRPC HTTP/1.1\r\nHost: localhost\r\n'
  const body = `{"method":"detectHash","params":{"hash":"${'a'.repeat(64)}"},"id":1}`
  const slow = await Promise.all([
    speak(gateway, ''),
    speak(gateway, 'GET /healthcheck HTTP/1.1\r\nHost: loc'),
    speak(admin, 'GET /status HTTP/1.1\r\nHost: loc'),
    speak(gateway, `${head}Content-Length: 500\r\n\r\n{"a`),
    speak(gateway, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`),
    speak(gateway, 'GET /healthcheck HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  ])
  const late = await speak(gateway, `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`)
  await Bun.sleep(300)
  const ended = gateway.end()
  await Bun.sleep(300)
  late.say(body.slice(20))
  for (const end = Date.now() + 5_000; !late.heard().includes('"result"') && Date.now() < end; ) await Bun.sleep(20)
  expect(late.heard()).toStartWith('HTTP/1.1 200')
  // Beyond 10 s the exit code is 1.
  expect(await ended).toBe(0)
  for (const client of [...slow, late]) client.end()
}, 20_000)

const write = (text: string) => {
  mkdirSync(join(alone.folder, 'data'), { recursive: true })
  writeFileSync(join(alone.folder, 'data', 'tonlith.toml'), text)
}

const saysSoon = async ({ stderr }: Running, text: string): Promise<void> => {
  for (const end = Date.now() + 20_000; !stderr().includes(text); await Bun.sleep(20))
    if (Date.now() > end) throw new Error(`not said: ${text}\n${stderr()}`)
}

test('SIGHUP ends nothing and changes rates; a second SIGTERM waits for nobody', async () => {
  write('keyless_rps = 0\n')
  const gateway = await dev()
  const statuses = async () => [(await ask(gateway, METHOD)).status, (await ask(gateway, METHOD)).status]
  expect(await statuses()).toEqual([200, 200])
  write('keyless_rps = 1\nlisten = "127.0.0.1:1"\n')
  gateway.signal('SIGHUP')
  await saysSoon(gateway, 'settings changed keyless_rps="0 -> 1"')
  expect((await statuses())[1]).toBe(429)
  write('keyless_rps = "many"\n')
  gateway.signal('SIGHUP')
  await saysSoon(gateway, 'the settings cannot be read again: keyless_rps must be')
  expect((await ask(gateway, '/healthcheck')).status).toBe(200)
  expect((await statuses())[1]).toBe(429)
  write('keyless_rps = 0\n')
  gateway.signal('SIGHUP')
  await saysSoon(gateway, 'settings changed keyless_rps="1 -> 0"')
  rmSync(join(alone.folder, 'data', 'tonlith.toml'))
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
