import { afterEach, describe, expect, test } from 'bun:test'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import {
  type Answer,
  type ConnectionLimits,
  DEFAULT_LIMITS,
  serveConnection,
} from '../../../src/devnet/liteserver-connection.ts'
import { type Channel, openChannel } from '../../../src/liteserver/adnl.ts'
import { ed25519PublicKey } from '../../../src/liteserver/curve25519.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import { decodeMessage, encodeAdnlQuery } from '../../../src/ton/tl/lite-api.ts'

const SEED = randomBytes(32)
const echo: Answer = async (query) => query

const servers: Server[] = []
const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  for (const server of servers.splice(0)) server.close()
})

interface Started {
  port: number
  accepted: Socket[]
}

const start = (answer: Answer, limits: Partial<ConnectionLimits> = {}): Promise<Started> =>
  new Promise((resolve) => {
    const accepted: Socket[] = []
    const server = createServer((socket) => {
      accepted.push(socket)
      serveConnection(socket, SEED, answer, { ...DEFAULT_LIMITS, ...limits })
    })
    servers.push(server)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address ? address.port : 0, accepted })
    })
  })

const dial = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => {})
    clients.push(socket)
  })

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve()
    socket.on('close', () => resolve())
  })

/** A client after its handshake, with the payloads that come in. */
const handshaken = async (port: number): Promise<{ socket: Socket; channel: Channel; payloads: Buffer[] }> => {
  const socket = await dial(port)
  const { hello, channel } = openChannel(ed25519PublicKey(SEED))
  const payloads: Buffer[] = []
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      payloads.push(...channel.open(chunk))
      resolve()
    })
    socket.write(hello)
  })
  expect(payloads.shift()).toEqual(Buffer.alloc(0))
  return { socket, channel, payloads }
}

const until = async (condition: () => boolean): Promise<void> => {
  for (const end = performance.now() + 3_000; !condition(); await Bun.sleep(2))
    if (performance.now() > end) throw new Error('did not happen')
}

const answers = (payloads: Buffer[]): Buffer[] =>
  payloads.map((payload) => {
    const message = decodeMessage(payload)
    return message._ === 'adnl.message.answer' ? message.answer : Buffer.from(message._)
  })

describe('a client that follows the rules', () => {
  test('gets each answer with the id of its query', async () => {
    const { socket, channel, payloads } = await handshaken((await start(echo)).port)
    const ids = Array.from({ length: 50 }, () => randomBytes(32))
    for (const [i, id] of ids.entries()) socket.write(channel.seal(encodeAdnlQuery(id, Buffer.from([i]))))
    await until(() => payloads.length === ids.length)
    for (const payload of payloads) {
      const message = decodeMessage(payload)
      if (message._ !== 'adnl.message.answer') throw new Error('no answer')
      expect(ids[message.answer[0]!]!.equals(message.query_id)).toBe(true)
    }
  })

  test('may send byte by byte', async () => {
    const { port } = await start(echo)
    const socket = await dial(port)
    const { hello, channel } = openChannel(ed25519PublicKey(SEED))
    const payloads: Buffer[] = []
    socket.on('data', (chunk: Buffer) => payloads.push(...channel.open(chunk)))
    socket.setNoDelay(true)
    for (const byte of Buffer.concat([hello, channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('x')))])) {
      socket.write(Buffer.from([byte]))
      if (byte % 16 === 0) await Bun.sleep(0)
    }
    await until(() => payloads.length === 2)
    expect(answers(payloads.slice(1))).toEqual([Buffer.from('x')])
  })

  test('gets pongs', async () => {
    const { socket, channel, payloads } = await handshaken((await start(echo)).port)
    socket.write(channel.seal(encode({ _: 'tcp.ping', random_id: -5n })))
    await until(() => payloads.length === 1)
    expect(decodeMessage(payloads[0]!)).toEqual({ _: 'tcp.pong', random_id: -5n })
  })

  test('may prove a key of its own, in front of its queries', async () => {
    const { socket, channel, payloads } = await handshaken((await start(echo)).port)
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const chosen = randomBytes(32)
    socket.write(channel.seal(encode({ _: 'tcp.authentificate', nonce: chosen })))
    await until(() => payloads.length === 1)
    const message = decodeMessage(payloads[0]!)
    if (message._ !== 'tcp.authentificationNonce') throw new Error('no nonce')
    const signature = sign(null, Buffer.concat([chosen, message.nonce]), privateKey)
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
    socket.write(channel.seal(encode({ _: 'tcp.authentificationComplete', key: { _: 'pub.ed25519', key }, signature })))
    socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('x'))))
    await until(() => payloads.length === 2)
    expect(answers(payloads.slice(1))).toEqual([Buffer.from('x')])
  })

  test('is answered at once while another query waits', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const answer: Answer = async (query) => {
      if (query[0] === 1) await gate
      return query
    }
    const { socket, channel, payloads } = await handshaken((await start(answer)).port)
    for (const n of [1, 2]) socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from([n]))))
    await until(() => payloads.length === 1)
    release()
    await until(() => payloads.length === 2)
    expect(answers(payloads)).toEqual([Buffer.from([2]), Buffer.from([1])])
  })

  test('gets no answer where there is none', async () => {
    const { socket, channel, payloads } = await handshaken((await start(async () => undefined)).port)
    socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('x'))))
    socket.write(channel.seal(encode({ _: 'tcp.ping', random_id: 1n })))
    await until(() => payloads.length === 1)
    expect(payloads.length).toBe(1)
  })
})

describe('a hostile client is hung up on', () => {
  test('that opens for another key, or with noise', async () => {
    const { port } = await start(echo)
    for (const hello of [randomBytes(256), openChannel(ed25519PublicKey(randomBytes(32))).hello]) {
      const socket = await dial(port)
      socket.write(hello)
      await closed(socket)
    }
  })

  test('that signs nothing, or not the nonce, or asks for two', async () => {
    const { port } = await start(echo)
    const key = { _: 'pub.ed25519', key: ed25519PublicKey(SEED) } as const
    const first = encode({ _: 'tcp.authentificate', nonce: randomBytes(32) })
    const proof = encode({ _: 'tcp.authentificationComplete', key, signature: randomBytes(64) })
    for (const steps of [[proof], [first, proof], [first, first]]) {
      const { socket, channel } = await handshaken(port)
      for (const step of steps) socket.write(channel.seal(step))
      await closed(socket)
    }
  })

  test('that does not end its handshake', async () => {
    const { port } = await start(echo, { handshakeMs: 30 })
    const silent = await dial(port)
    const half = await dial(port)
    half.write(openChannel(ed25519PublicKey(SEED)).hello.subarray(0, 200))
    await Promise.all([closed(silent), closed(half)])
  })

  test('that is silent', async () => {
    const { socket } = await handshaken((await start(echo, { idleMs: 40 })).port)
    await closed(socket)
  })

  test('that sends noise, a packet that is too long, or what is no message', async () => {
    const { port } = await start(echo, { maxRequest: 4096 })
    const noise = await handshaken(port)
    noise.socket.write(randomBytes(512))
    const long = await handshaken(port)
    long.socket.write(long.channel.seal(encodeAdnlQuery(randomBytes(32), randomBytes(8192))))
    const wrong = await handshaken(port)
    wrong.socket.write(wrong.channel.seal(Buffer.from('neither query nor ping')))
    const cut = await handshaken(port)
    cut.socket.write(cut.channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.alloc(64)).subarray(0, 50)))
    await Promise.all([noise, long, wrong, cut].map(({ socket }) => closed(socket)))
  })

  test('that does not read its answers, after little of them was kept for it', async () => {
    const big = Buffer.alloc(1 << 20)
    let asked = 0
    const answer: Answer = async () => {
      asked++
      return big
    }
    const { port, accepted } = await start(answer, { drainMs: 300 })
    const { socket, channel } = await handshaken(port)
    socket.pause()
    for (let i = 0; i < 400; i++) socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('x'))))
    await until(() => accepted[0]!.destroyed)
    expect(asked).toBeLessThan(40)
  })

  test('and others are served meanwhile', async () => {
    const { port } = await start(echo)
    const good = await handshaken(port)
    for (let i = 0; i < 20; i++) (await dial(port)).write(randomBytes(300))
    good.socket.write(good.channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('y'))))
    await until(() => good.payloads.length === 1)
    expect(answers(good.payloads)).toEqual([Buffer.from('y')])
  })
})

describe('queries that wait', () => {
  test('are limited in number, the others are refused', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const answer: Answer = async (query) => {
      await gate
      return query
    }
    const { socket, channel, payloads } = await handshaken((await start(answer, { maxWaiting: 3 })).port)
    for (let i = 0; i < 5; i++) socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from([i]))))
    await until(() => payloads.length === 2)
    for (const error of answers(payloads)) expect(error.toString()).toContain('too many queries')
    release()
    await until(() => payloads.length === 5)
    expect(answers(payloads.slice(2))).toEqual([0, 1, 2].map((n) => Buffer.from([n])))
  })

  test('end with the connection', async () => {
    const { port } = await start(async () => {
      await Bun.sleep(30)
      return Buffer.from(createHash('sha256').digest())
    })
    const { socket, channel } = await handshaken(port)
    socket.write(channel.seal(encodeAdnlQuery(randomBytes(32), Buffer.from('x'))))
    await Bun.sleep(5)
    socket.destroy()
    await Bun.sleep(40)
    expect((await handshaken(port)).socket.destroyed).toBe(false)
  })
})
