import { afterEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { TonlithError } from '../../../src/common/errors.ts'
import { CONNECTION_DEFAULTS, type Connection, connect, type Endpoint } from '../../../src/liteserver/connection.ts'
import { ConnectionError } from '../../../src/liteserver/connection-error.ts'
import { ed25519PublicKey } from '../../../src/liteserver/curve25519.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import { encodeQuery } from '../../../src/ton/tl/lite-api.ts'
import { type FakeOptions, startFakeLiteserver } from '../../support/fake-liteserver.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const time = encode({ _: 'liteServer.currentTime', now: 1_700_000_000 })
const getTime = encodeQuery({ _: 'liteServer.getTime' })

const serve = (options: Partial<FakeOptions> = {}) => {
  const server = startFakeLiteserver({ reply: () => time, ...options })
  ends.push(server.kill)
  return server
}
const open = async (endpoint: Endpoint, options: Partial<Parameters<typeof connect>[1]> = {}): Promise<Connection> => {
  const connection = await connect(endpoint, { ...CONNECTION_DEFAULTS, ...options })
  ends.push(connection.close)
  return connection
}
const failure = async (promise: Promise<unknown>): Promise<TonlithError> => {
  try {
    await promise
  } catch (error) {
    return error as TonlithError
  }
  throw new Error('it did not fail')
}

describe('queries', () => {
  test('many in flight, answered out of order', async () => {
    let asked = 0
    const server = serve({
      reply: async () => {
        const now = asked++
        await Bun.sleep((now * 7) % 20)
        return encode({ _: 'liteServer.currentTime', now })
      },
    })
    const connection = await open(server)
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => connection.query(getTime, { timeoutMs: 5_000 })),
    )
    expect(answers.map((answer) => answer.readInt32LE(4))).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(connection.inFlight).toBe(0)
  })

  test('megabytes, both ways', async () => {
    const server = serve({ reply: (call) => (call._ === 'liteServer.sendMessage' ? call.body : time) })
    const connection = await open(server)
    const body = randomBytes(15 << 20)
    const question = encodeQuery({ _: 'liteServer.sendMessage', body })
    const answers = await Promise.all([
      connection.query(question, { timeoutMs: 20_000 }),
      connection.query(getTime, { timeoutMs: 20_000 }),
    ])
    expect(answers[0].equals(body)).toBe(true)
    expect(answers[1]).toEqual(time)
  })

  test('a query too long for a packet is refused, the connection lives', async () => {
    const connection = await open(serve())
    const error = await failure(connection.query(Buffer.alloc(1 << 24), { timeoutMs: 5_000 }))
    expect(error.kind).toBe('limit')
    expect(await connection.query(getTime, { timeoutMs: 5_000 })).toEqual(time)
  })

  test('no answer: timeout in the words of API v2; a later answer is ignored', async () => {
    let first = true
    const server = serve({
      reply: async () => {
        if (first) {
          first = false
          await Bun.sleep(60)
        }
        return time
      },
    })
    const connection = await open(server)
    const error = await failure(connection.query(getTime, { timeoutMs: 20 }))
    expect([error.kind, error.message]).toEqual(['timeout', 'LITE_SERVER_NETWORK timeout'])
    await Bun.sleep(60)
    expect(await connection.query(getTime, { timeoutMs: 5_000 })).toEqual(time)
  })

  test('an aborted query ends at once and leaves nothing behind', async () => {
    const connection = await open(serve({ reply: () => 'silence' }))
    const controller = new AbortController()
    const query = failure(connection.query(getTime, { timeoutMs: 5_000, signal: controller.signal }))
    await Bun.sleep(5)
    controller.abort()
    expect((await query).kind).toBe('timeout')
    expect(connection.inFlight).toBe(0)
    const aborted = await failure(connection.query(getTime, { timeoutMs: 5_000, signal: controller.signal }))
    expect(aborted.kind).toBe('timeout')
  })

  test('more than allowed are refused', async () => {
    const connection = await open(serve({ reply: () => 'silence' }), { maxInFlight: 2 })
    const waiting = [1, 2].map(() => failure(connection.query(getTime, { timeoutMs: 5_000 })))
    expect((await failure(connection.query(getTime, { timeoutMs: 5_000 }))).kind).toBe('unavailable')
    connection.close()
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(['connection', 'connection'])
  })
})

describe('a connection that breaks', () => {
  for (const reply of ['close', 'reset', 'garbage', 'garbage-packet'] as const)
    test(`${reply}: the queries in flight fail at once, the owner is told once`, async () => {
      const closed: ConnectionError[] = []
      const server = serve({ reply: (call) => (call._ === 'liteServer.getVersion' ? reply : 'silence') })
      const connection = await open(server, { onClose: (error) => closed.push(error) })
      const waiting = failure(connection.query(getTime, { timeoutMs: 5_000 }))
      const cause = failure(connection.query(encodeQuery({ _: 'liteServer.getVersion' }), { timeoutMs: 5_000 }))
      for (const error of await Promise.all([waiting, cause])) {
        expect(error).toBeInstanceOf(ConnectionError)
        expect((error as ConnectionError).written).toBe(true)
      }
      expect(connection.closed).toBe(true)
      await Bun.sleep(5)
      expect(closed.length).toBe(1)
      const later = (await failure(connection.query(getTime, { timeoutMs: 5_000 }))) as ConnectionError
      expect([later.kind, later.written]).toEqual(['connection', false])
    })

  test('a query that was not written says so', async () => {
    const connection = await open(serve({ reply: () => 'silence' }))
    const query = failure(connection.query(getTime, { timeoutMs: 5_000 }))
    connection.close()
    expect(((await query) as ConnectionError).written).toBe(false)
  })

  test('a silent server is given up after three intervals; one that answers pings is not', async () => {
    const told = Promise.withResolvers<ConnectionError>()
    const mute = serve({ reply: () => 'silence', answersPings: false })
    await open(mute, { pingIntervalMs: 20, onClose: told.resolve })
    const pongs: number[] = []
    const alive = await open(serve(), { pingIntervalMs: 20, onPong: (ms) => pongs.push(ms) })
    expect((await told.promise).message).toContain('silent for too long')
    expect(alive.closed).toBe(false)
    expect(pongs.length).toBeGreaterThan(0)
  })
})

describe('a connection that cannot be made', () => {
  const attempt = async (endpoint: Endpoint, connectTimeoutMs = 5_000): Promise<ConnectionError> =>
    (await failure(connect(endpoint, { ...CONNECTION_DEFAULTS, connectTimeoutMs }))) as ConnectionError

  test('nobody listens: a network failure', async () => {
    const server = serve()
    server.kill()
    const error = await attempt(server)
    expect([error.kind, error.stage, error.keyRefused]).toEqual(['connection', 'connect', false])
  })

  test('another key: told apart, names the server', async () => {
    const server = serve()
    const error = await attempt({
      ...server,
      host: server.host,
      port: server.port,
      key: ed25519PublicKey(randomBytes(32)),
    })
    expect([error.kind, error.stage, error.keyRefused]).toEqual(['connection', 'handshake', true])
    expect(error.message).toContain(`127.0.0.1:${server.port}`)
  })

  test('a key that is none', async () => {
    const error = await attempt({ host: '127.0.0.1', port: 1, key: Buffer.alloc(32, 0xff) })
    expect(error.kind).toBe('invalid')
  })

  test('a port that is none', async () => {
    expect((await attempt({ host: '127.0.0.1', port: 70_000, key: serve().key })).kind).toBe('connection')
  })

  test('a server that says nothing', async () => {
    const error = await attempt(serve({ onConnect: () => 'silence' }), 50)
    expect([error.kind, error.stage, error.keyRefused]).toEqual(['connection', 'handshake', false])
  })

  test('a server that sends garbage', async () => {
    const error = await attempt(serve({ onConnect: () => 'garbage' }))
    expect([error.kind, error.stage, error.keyRefused]).toEqual(['connection', 'handshake', false])
  })
})
