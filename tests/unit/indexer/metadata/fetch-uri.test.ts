import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FetchFailure } from '../../../../src/indexer/metadata/failures.ts'
import { createFetchUri, type FetchUriOptions } from '../../../../src/indexer/metadata/fetch-uri.ts'

/** Everything here stays on loopback: names resolve to it, and the rule of addresses lets it through where a test says so. */

const TLS = join(import.meta.dir, '../../../fixtures/tls')
const CERT = readFileSync(join(TLS, 'token.example.cert.pem'), 'utf8')
const KEY = readFileSync(join(TLS, 'token.example.key.pem'), 'utf8')
const GATEWAY = new URL('http://127.0.0.1:1/ipfs')
const DOCUMENT = '{"name":"N","n":1.10}'
const READY = {
  _: 'ready',
  members: [
    ['name', '"N"'],
    ['n', '1.10'],
  ],
} as const
const failed = (failure: FetchFailure) => ({ _: 'failed', failure }) as const

const stops: (() => unknown)[] = []
afterAll(() => stops.map((stop) => stop()))

const asked: { host: string | null; headers: Record<string, string> }[] = []

/** A web server that answers by path; gives its port. */
const web = (answer: (path: string, port: number) => Response, tls?: { cert: string; key: string }): number => {
  const server: { port?: number | undefined; stop(now: boolean): unknown } = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    ...(tls ? { tls } : {}),
    fetch: (request): Response => {
      asked.push({ host: request.headers.get('host'), headers: Object.fromEntries(request.headers) })
      return answer(new URL(request.url).pathname, server.port!)
    },
  })
  stops.push(() => server.stop(true))
  return server.port!
}

/** A server of bytes: `speak` is called once somebody has asked. */
const raw = (speak: (socket: Socket) => void): Promise<number> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => speak(socket))
    })
    stops.push(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

const fetchWith = (options: Partial<FetchUriOptions> = {}) => {
  const fetchUri = createFetchUri({
    gateway: GATEWAY,
    allows: (address) => address === '127.0.0.1',
    resolve: async () => ['127.0.0.1'],
    ...options,
  })
  return (uri: string, signal = new AbortController().signal) => fetchUri(uri, signal)
}

const compressed = (body: Buffer, encoding: string) =>
  new Response(new Uint8Array(body), { headers: { 'content-encoding': encoding } })

const site = web((path, port) => {
  switch (path) {
    case '/ok':
      return new Response(DOCUMENT, { headers: { 'content-type': 'image/png' } })
    case '/html':
      return new Response('<!doctype html><p>hello', { headers: { 'content-type': 'application/json' } })
    case '/array':
      return new Response('[1]')
    case '/latin1':
      return new Response(new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]))
    case '/gzip':
      return compressed(gzipSync(DOCUMENT), 'gzip')
    case '/deflate':
      return compressed(deflateSync(DOCUMENT), 'deflate')
    case '/br':
      return compressed(brotliCompressSync(DOCUMENT), 'BR')
    case '/zstd':
      return compressed(Buffer.from(DOCUMENT), 'zstd')
    case '/not-gzip':
      return compressed(Buffer.from(DOCUMENT), 'gzip')
    case '/bomb':
      return compressed(gzipSync(Buffer.alloc(64 << 20, 0x20)), 'gzip')
    case '/bomb-br':
      return compressed(brotliCompressSync(Buffer.alloc(64 << 20, 0x20)), 'br')
    case '/large':
      return new Response(JSON.stringify({ name: 'N', x: 'x'.repeat(1 << 20) }))
    case '/nearly-large':
      return new Response(JSON.stringify({ name: 'N', x: 'x'.repeat((1 << 20) - 100) }))
    case '/to-ok':
      return Response.redirect('/ok')
    case '/round':
      return Response.redirect('/round')
    case '/twice':
      return Response.redirect('/to-ok')
    case '/thrice':
      return Response.redirect('/twice')
    case '/four-times':
      return Response.redirect('/thrice')
    case '/to-secret':
      return Response.redirect(`http://inner.example:${port}/ok`)
    case '/to-number':
      return Response.redirect(`http://2130706434:${port}/ok`)
    case '/to-file':
      return new Response(null, { status: 302, headers: { location: 'file:///etc/passwd' } })
    case '/to-nowhere':
      return new Response(null, { status: 302 })
  }
  return new Response('no', { status: Number(path.slice(1)) || 404 })
})

const at = (path: string, host = 'token.example') => `http://${host}:${site}${path}`

describe('a document', () => {
  test('is fetched, whatever type it is said to be of', async () => {
    expect(await fetchWith()(at('/ok'))).toEqual(READY)
    const { host, headers } = asked.at(-1)!
    expect(host).toBe(`token.example:${site}`)
    expect(headers['user-agent']).toBe('tonlith')
    for (const name of ['cookie', 'authorization', 'x-api-key', 'referer', 'origin'])
      expect(headers[name]).toBeUndefined()
  })

  test('may be compressed', async () => {
    for (const path of ['/gzip', '/deflate', '/br']) expect(await fetchWith()(at(path))).toEqual(READY)
    for (const path of ['/zstd', '/not-gzip']) expect(await fetchWith()(at(path))).toEqual(failed('encoding'))
  })

  test('is none in anything but a JSON object', async () => {
    for (const path of ['/html', '/array', '/latin1']) expect(await fetchWith()(at(path))).toEqual(failed('json'))
  })

  test('is none where the status says so', async () => {
    for (const status of [204, 206, 304, 400, 403, 404, 410, 429, 500, 503])
      expect(await fetchWith()(at(`/${status}`))).toEqual(failed('status'))
  })

  test('may have 1 MiB, as it comes and as it is', async () => {
    expect(await fetchWith()(at('/nearly-large'))).toMatchObject({ _: 'ready' })
    for (const path of ['/large', '/bomb', '/bomb-br']) expect(await fetchWith()(at(path))).toEqual(failed('too_large'))
    const endless = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(1 << 16)));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    })
    expect(await fetchWith()(`http://a:${endless}/`)).toEqual(failed('too_large'))
    const boastful = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n'))
    expect(await fetchWith()(`http://a:${boastful}/`)).toEqual(failed('too_large'))
  })

  test('in the URI itself needs nobody', async () => {
    const alone = fetchWith({ resolve: () => Promise.reject(new Error('asked')) })
    const base64 = Buffer.from(DOCUMENT).toString('base64')
    for (const uri of [
      `data:application/json;base64,${base64}`,
      `DATA:application/json;charset=utf-8;BASE64,${base64}`,
      `data:,${DOCUMENT}`,
      `data:application/json;utf8,${encodeURIComponent(DOCUMENT)}`,
    ])
      expect(await alone(uri)).toEqual(READY)
    expect(await alone('data:application/json,{"a":"100%"}')).toEqual({ _: 'ready', members: [['a', '"100%"']] })
    expect(await alone('data:image/png;base64,AAAA')).toEqual(failed('json'))
    expect(await alone('data:no comma')).toEqual(failed('uri'))
    expect(await alone('tonstorage://x')).toEqual(failed('uri'))
  })
})

describe('who is asked', () => {
  test('never an address that the rule refuses, in whatever form it comes', async () => {
    const strict = fetchWith({ allows: () => false })
    const before = asked.length
    for (const host of [
      'token.example',
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ])
      expect(await strict(at('/ok', host))).toEqual(failed('blocked'))
    expect(asked.length).toBe(before)
  })

  test('by itself no private network and no other port', async () => {
    const fetchUri = createFetchUri({ gateway: GATEWAY, resolve: async () => ['10.0.0.1', 'fd00::1', '127.0.0.1'] })
    const { signal } = new AbortController()
    for (const uri of [
      'http://token.example/',
      'https://token.example/',
      'http://127.0.0.1/',
      'http://[64:ff9b::7f00:1]/',
      `http://1.1.1.1:${site}/`,
      'http://1.1.1.1:22/',
    ])
      expect(await fetchUri(uri, signal)).toEqual(failed('blocked'))
  })

  test('of the addresses of a name only those that are allowed', async () => {
    const resolve = async () => ['127.0.0.9', '127.0.0.1']
    expect(await fetchWith({ resolve })(at('/ok'))).toEqual(READY)
  })

  test('the address that was checked, not what the name says next', async () => {
    let answers = 0
    const resolve = async () => (answers++ === 0 ? ['127.0.0.1'] : ['127.0.0.9'])
    expect(await fetchWith({ resolve })(at('/ok', 'rebinding.example'))).toEqual(READY)
    expect(answers).toBe(1)
  })

  test('the next address where the first one has no server', async () => {
    const resolve = async () => ['127.0.0.2', '127.0.0.1']
    expect(await fetchWith({ resolve, allows: () => true })(at('/ok'))).toEqual(READY)
  })

  test('nobody for a name without an address', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))])
      expect(await fetchWith({ resolve })(at('/ok'))).toEqual(failed('name'))
  })
})

describe('redirects', () => {
  const resolve = async (name: string) => [name === 'inner.example' ? '127.0.0.2' : '127.0.0.1']

  test('are followed three times', async () => {
    for (const path of ['/to-ok', '/twice', '/thrice']) expect(await fetchWith()(at(path))).toEqual(READY)
    for (const path of ['/four-times', '/round']) expect(await fetchWith()(at(path))).toEqual(failed('redirects'))
  })

  test('are checked like any other address', async () => {
    for (const path of ['/to-secret', '/to-number'])
      expect(await fetchWith({ resolve })(at(path))).toEqual(failed('blocked'))
    expect(await fetchWith()(at('/to-file'))).toEqual(failed('uri'))
    expect(await fetchWith()(at('/to-nowhere'))).toEqual(failed('status'))
  })
})

describe('TLS', () => {
  const secure = web(() => new Response(DOCUMENT), { cert: CERT, key: KEY })
  const uri = (host: string) => `https://${host}:${secure}/`

  test('checks the certificate against the name, though the address is what is connected to', async () => {
    expect(await fetchWith({ ca: CERT })(uri('token.example'))).toEqual(READY)
    expect(asked.at(-1)?.host).toBe(`token.example:${secure}`)
    expect(await fetchWith({ ca: CERT })(uri('token.example.'))).toEqual(READY)
    expect(await fetchWith({ ca: CERT })(uri('other.example'))).toEqual(failed('tls'))
    expect(await fetchWith({ ca: CERT })(uri('127.0.0.1'))).toEqual(failed('tls'))
  })

  test('trusts no certificate that nobody vouches for', async () => {
    expect(await fetchWith()(uri('token.example'))).toEqual(failed('tls'))
  })
})

describe('the gateway', () => {
  const gatewayPort = web((path) => {
    if (path === '/ipfs/bafy/1.json' || path === '/secret') return new Response(DOCUMENT)
    if (path === '/ipfs/bafy/away') return Response.redirect('/secret')
    return new Response(null, { status: 404 })
  })
  const gateway = new URL(`http://127.0.0.1:${gatewayPort}/ipfs`)
  const strict = fetchWith({ gateway, allows: () => false })

  test('may stand in a private network, at any port', async () => {
    expect(await strict('ipfs://bafy/1.json')).toEqual(READY)
    expect(await strict('ipfs://bafy/2.json')).toEqual(failed('status'))
  })

  test('is asked for nothing but what is below its path', async () => {
    const before = asked.length
    expect(await strict('ipfs://bafy/../../secret')).toEqual(failed('uri'))
    expect(await strict(`http://127.0.0.1:${gatewayPort}/ipfs/bafy/1.json`)).toEqual(failed('blocked'))
    expect(asked.length).toBe(before)
    expect(await strict('ipfs://bafy/away')).toEqual(failed('blocked'))
    expect(asked.length).toBe(before + 1)
  })
})

describe('time', () => {
  test('ends a name, a connection, an answer and a body that do not come', async () => {
    const short = { headMs: 50, totalMs: 200 }
    expect(await fetchWith({ ...short, resolve: () => new Promise(() => {}) })(at('/ok'))).toEqual(failed('timeout'))
    const mute = await raw(() => {})
    expect(await fetchWith(short)(`http://a:${mute}/`)).toEqual(failed('timeout'))
    const stalled = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'))
    expect(await fetchWith(short)(`http://a:${stalled}/`)).toEqual(failed('timeout'))
    const trickling = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(' ')), 20)
    })
    expect(await fetchWith(short)(`http://a:${trickling}/`)).toEqual(failed('timeout'))
  })

  test('is over when the caller says so', async () => {
    const mute = await raw(() => {})
    const ending = new AbortController()
    const result = fetchWith()(`http://a:${mute}/`, ending.signal)
    ending.abort()
    expect(await result).toEqual(failed('timeout'))
    expect(await fetchWith()(`http://a:${mute}/`, ending.signal)).toEqual(failed('timeout'))
  })
})

test('what breaks the rules of HTTP is a connection that failed', async () => {
  const answers = [
    'hello\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}',
    `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}\r\n{}`,
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}',
    '',
  ]
  for (const answer of answers) {
    const port = await raw((socket) => socket.end(answer))
    expect(await fetchWith()(`http://a:${port}/`)).toEqual(failed('connection'))
  }
  const closed = await raw(() => {})
  stops.pop()!()
  expect(await fetchWith()(`http://a:${closed}/`)).toEqual(failed('connection'))
})
