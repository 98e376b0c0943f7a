import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createLogger } from '../../../src/common/logger.ts'
import { type SmallApp, smallApp } from '../../support/small-app.ts'

/** What only a real connection shows: bodies that do not end, silence, and who is at the other end. */

let app: SmallApp
let port: number

beforeAll(() => {
  app = smallApp({ limits: { requestMs: 300 }, chain: { answer: () => new Promise(() => {}) } })
  app.listen({ port: 0, hostname: '127.0.0.1' })
  port = app.server!.port!
})

afterAll(async () => {
  await app.server?.stop(true)
})

/** Sends bytes and gives what came back until the peer closed or `ms` passed. */
const talk = async (data: string, ms: number, to = port): Promise<{ text: string; closed: boolean }> => {
  let text = ''
  const ended = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: to,
    socket: {
      data: (_, bytes) => {
        text += bytes.toString()
      },
      close: () => ended.resolve(),
    },
  })
  socket.write(data)
  const closed = await Promise.race([ended.promise.then(() => true), Bun.sleep(ms).then(() => false)])
  socket.end()
  return { text, closed }
}

const head = (verb: string, path: string, fields: string[] = []): string =>
  [`${verb} ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n')

describe('what is no request', () => {
  const start = 'GET /healthcheck HTTP/1.1\r\n'

  /** README, "Differences from toncenter": Bun's parser answers these by itself, and nothing of ours is asked. */
  test.each([
    ['no host', `${start}\r\n`, 400],
    ['a field without a name', `${start}Host: a\r\nabc\r\n\r\n`, 400],
    ['a path without a slash', head('GET', 'healthcheck'), 400],
    ['two lengths', `${head('POST', '/api/v2/block', ['Content-Length: 2', 'Content-Length: 3'])}{}`, 400],
    ['a length and chunks', head('POST', '/api/v2/block', ['Content-Length: 2', 'Transfer-Encoding: chunked']), 400],
    ['TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', 400],
    ['a head of 70 kB', head('GET', '/healthcheck', [`X-A: ${'a'.repeat(70_000)}`]), 431],
    [
      '250 fields',
      head(
        'GET',
        '/healthcheck',
        Array.from({ length: 250 }, (_, i) => `X-${i}: a`),
      ),
      431,
    ],
    ['HTTP/2', 'GET /healthcheck HTTP/2.0\r\nHost: a\r\n\r\n', 505],
    ['HTTP/0.9', 'GET /healthcheck\r\n\r\n', 505],
  ])('%s gets a status alone', async (_, sent, status) => {
    const { text, closed } = await talk(sent, 5_000)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\nConnection: close\\r\\n\\r\\n$`))
    expect(closed).toBe(true)
  })

  test('a method that HTTP does not have ends the connection', async () => {
    for (const method of ['BREW', 'get'])
      expect(await talk(head(method, '/healthcheck'), 5_000)).toEqual({ text: '', closed: true })
  })

  test('one that it has and we do not is refused in our form', async () => {
    for (const method of ['PROPFIND', 'QUERY', 'TRACE']) {
      const { text } = await talk(head(method, '/healthcheck', ['Connection: close']), 5_000)
      expect(text).toStartWith('HTTP/1.1 405')
      expect(text).toContain('"code":405')
    }
  })
})

describe('a body', () => {
  test('that does not come is waited for no longer than a request may take', async () => {
    const { text, closed } = await talk(`${head('POST', '/api/v2/block', ['Content-Length: 100'])}{`, 5000)
    expect(text).toStartWith('HTTP/1.1 408')
    expect(text).toContain('"code":408')
    expect(closed).toBe(true)
  })

  test('that says to be too long is refused unread', async () => {
    const { text, closed } = await talk(head('POST', '/api/v2/block', ['Content-Length: 500000000']), 5000)
    expect(text).toContain('{"ok":false,"error":"too large request","code":413,"@extra":"_"}')
    expect(closed).toBe(true)
  })

  test('that never ends is cut off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/jsonRPC`, { method: 'POST', body })
    expect(response.status).toBe(413)
  })

  test('beside a GET is of no interest', async () => {
    const request = `${head('GET', '/api/v2/block', ['Content-Length: 2'])}{}${head('GET', '/nix')}`
    const { text } = await talk(request, 500)
    expect(text).toContain('HTTP/1.1 200')
    expect(text).toContain('HTTP/1.1 404')
  })
})

describe('the head of a request', () => {
  const withFields = (fields: string[]) => talk(head('GET', '/healthcheck', fields), 5_000)

  test('may not be long, and not have very many fields', async () => {
    expect((await talk(head('GET', '/healthcheck', [`X-A: ${'a'.repeat(8_000)}`]), 300)).text).toStartWith(
      'HTTP/1.1 200',
    )
    for (const fields of [[`X-A: ${'a'.repeat(1 << 20)}`], Array.from({ length: 1_000 }, (_, i) => `X-${i}: a`)]) {
      const { text, closed } = await withFields(fields)
      expect(text).toStartWith('HTTP/1.1 431')
      expect(closed).toBe(true)
    }
    expect((await talk(head('GET', `/healthcheck?a=${'a'.repeat(9_000)}`), 300)).text).toStartWith('HTTP/1.1 414')
  })

  test('that comes byte by byte keeps no connection for longer than silence does', async () => {
    const drip = async (first: string, more: string): Promise<boolean> => {
      const socket = connect(port, '127.0.0.1')
      const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
      socket.on('error', () => {})
      socket.write(first)
      const timer = setInterval(() => socket.destroyed || socket.write(more), 1_000)
      const ended = await Promise.race([closed, Bun.sleep(40_000).then(() => false)])
      clearInterval(timer)
      socket.destroy()
      return ended
    }
    const line = 'GET /healthcheck HTTP/1.1\r\nHost: localhost\r\n'
    expect(await Promise.all([drip(line, 'X-A: b\r\n'), drip(`${line}X-A: `, 'a'), drip('', '')])).toEqual([
      true,
      true,
      true,
    ])
  }, 60_000)
})

test('a call that takes too long is answered before the connection is dropped', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/ask`)
  expect([response.status, await response.json()]).toEqual([
    504,
    { ok: false, error: 'LITE_SERVER_NETWORK timeout', code: 504, '@extra': expect.any(String) },
  ])
})

test('HEAD has the headers of GET and no body', async () => {
  const url = `http://127.0.0.1:${port}/api/v2/block`
  const get = await fetch(url)
  const response = await fetch(url, { method: 'HEAD' })
  expect(await response.text()).toBe('')
  expect(response.headers.get('content-type')).toBe(get.headers.get('content-type'))
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100)
})

test('odd request lines end in JSON or in a closed connection', async () => {
  for (const line of [
    '/api/v2/%00',
    '/api/v2/\xff\xfe',
    '//',
    '/?',
    '/api/v2/block?%',
    'http://elsewhere/api/v2/nix',
  ]) {
    const { text } = await talk(head('GET', line), 100)
    expect([line, /^HTTP\/1\.1 (200|302|404)/.test(text)]).toEqual([line, true])
  }
  expect((await talk('\x00\x01\x02\r\n\r\n', 2000)).closed).toBe(true)
})

test('a path leads to the same place whatever the Host header says', async () => {
  for (const [version, host] of [
    ['1.1', 'Host: x\r\n'],
    ['1.1', 'Host: \r\n'],
    ['1.1', 'Host: elsewhere/api/v2/nix?\r\n'],
    ['1.0', ''],
  ]) {
    for (const [path, status] of [
      ['/api/v2/block', '200 OK'],
      ['/api/v2/block/', '200 OK'],
      ['/aaaaaaaaaa/metrics', '404 Not Found'],
      ['/aaaaaaaaaa/api/v2/block', '404 Not Found'],
      ['/a/metrics', '404 Not Found'],
    ]) {
      const { text } = await talk(`GET ${path} HTTP/${version}\r\n${host}\r\n`, 40)
      expect([host, path, text.split('\r\n')[0]]).toEqual([host, path, `HTTP/1.1 ${status}`])
    }
  }
})

test('a body that is cut off is no failure of the server', async () => {
  const lines: string[] = []
  const logged = smallApp({ logger: createLogger('warn', 'json', (line) => lines.push(line)) })
  logged.listen({ port: 0, hostname: '127.0.0.1' })
  try {
    const open = logged.server!.port!
    await talk(`${head('POST', '/api/v2/block', ['Content-Length: 100000'])}{`, 50, open)
    await talk(`${head('POST', '/api/v2/jsonRPC', ['Transfer-Encoding: chunked'])}1\r\n{\r\nzz\r\n`, 50, open)
    await Bun.sleep(20)
    const metrics = await (await fetch(`http://127.0.0.1:${open}/metrics`)).text()
    expect(metrics.match(/_count{route="\/api\/v2\/:method",method="\w*",status="400"} 1/g)).toHaveLength(2)
    expect(lines).toEqual([])
  } finally {
    await logged.server!.stop(true)
  }
})

test('keyless callers are told apart by their address', async () => {
  const limited = smallApp({ limits: { keylessRps: 1 } })
  limited.listen({ port: 0, hostname: '127.0.0.1' })
  try {
    const url = `http://127.0.0.1:${limited.server!.port}/api/v2/block`
    expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([200, 429])
  } finally {
    await limited.server!.stop(true)
  }
})
