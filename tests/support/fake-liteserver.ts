import { randomBytes } from 'node:crypto'
import { acceptChannel, type Channel, HELLO_LENGTH } from '../../src/liteserver/adnl.ts'
import { ed25519PublicKey } from '../../src/liteserver/curve25519.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import {
  decodeMessage,
  decodeRequest,
  encodeAdnlAnswer,
  encodeError,
  unwrapQuery,
  type Wait,
} from '../../src/ton/tl/lite-api.ts'
import type { Call } from '../../src/ton/tl/types.ts'

/** What the server does with one question: bytes of an answer, silence, or something bad. */
export type Reply = Buffer | 'silence' | 'close' | 'garbage' | 'garbage-packet' | 'reset'

export interface FakeOptions {
  /** Seed of the key that the server owns; random by default. */
  seed?: Buffer
  port?: number
  /** What it does with a new connection. */
  onConnect?: () => 'accept' | 'close' | 'silence' | 'garbage'
  /** Its answer to each question. */
  reply: (call: Call, wait: Wait | undefined) => Reply | Promise<Reply>
  answersPings?: boolean
}

interface Session {
  hello: Buffer[]
  channel: Channel | undefined
  out: Buffer[]
}

export interface FakeLiteserver {
  readonly host: string
  readonly port: number
  readonly key: Buffer
  /** Names of the methods asked, in order. */
  readonly asked: string[]
  readonly connections: number
  /** Drops every connection and stops listening. */
  kill(): void
  /** Listens again at the same port. */
  restart(): void
  /** Drops every connection, goes on listening. */
  dropConnections(): void
}

/** The stream's encryption keeps a flipped bit in its place: the length word becomes more than 2^31. */
const withAbsurdLength = (packet: Buffer): Buffer => {
  packet[3]! ^= 0x80
  return packet
}

/** A liteserver on loopback that answers as told, over real ADNL, and can misbehave in every way that a real one can. */
export const startFakeLiteserver = (options: FakeOptions): FakeLiteserver => {
  const seed = options.seed ?? randomBytes(32)
  const key = ed25519PublicKey(seed)
  const sockets = new Set<Bun.Socket<Session>>()
  const asked: string[] = []
  let connections = 0

  const send = (socket: Bun.Socket<Session>, bytes: Buffer): void => {
    const { out } = socket.data
    out.push(bytes)
    if (out.length === 1) drain(socket)
  }
  const drain = (socket: Bun.Socket<Session>): void => {
    const { out } = socket.data
    while (out.length > 0) {
      const taken = socket.write(out[0]!)
      if (taken < 0) return
      if (taken < out[0]!.length) {
        out[0] = out[0]!.subarray(taken)
        return
      }
      out.shift()
    }
  }

  const act = (socket: Bun.Socket<Session>, query_id: Buffer, reply: Reply): void => {
    const { channel } = socket.data
    if (!channel || reply === 'silence') return
    if (reply === 'close') socket.end()
    else if (reply === 'reset') socket.terminate()
    else if (reply === 'garbage') send(socket, withAbsurdLength(channel.seal(randomBytes(100))))
    else if (reply === 'garbage-packet') send(socket, channel.seal(randomBytes(60)))
    else send(socket, channel.seal(encodeAdnlAnswer(query_id, reply)))
  }

  const answer = async (socket: Bun.Socket<Session>, query_id: Buffer, data: Buffer): Promise<void> => {
    let reply: Reply
    try {
      const { call, wait } = decodeRequest(data)
      asked.push(call._)
      reply = await options.reply(call, wait)
    } catch (error) {
      reply = encodeError(0, (error as Error).message)
    }
    act(socket, query_id, reply)
  }

  const receive = (socket: Bun.Socket<Session>, payload: Buffer): void => {
    const message = decodeMessage(payload)
    if (message._ === 'tcp.ping' && options.answersPings !== false)
      send(socket, socket.data.channel!.seal(encode({ _: 'tcp.pong', random_id: message.random_id })))
    const data = message._ === 'adnl.message.query' ? unwrapQuery(message.query) : undefined
    if (message._ === 'adnl.message.query' && data) void answer(socket, message.query_id, data)
  }

  const shakeHands = (socket: Bun.Socket<Session>, chunk: Buffer): Buffer | undefined => {
    const session = socket.data
    session.hello.push(chunk)
    const bytes = Buffer.concat(session.hello)
    if (bytes.length < HELLO_LENGTH) return undefined
    session.channel = acceptChannel(bytes.subarray(0, HELLO_LENGTH), seed)
    send(socket, session.channel.seal(Buffer.alloc(0)))
    return bytes.subarray(HELLO_LENGTH)
  }

  const listen = (port: number) =>
    Bun.listen<Session>({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => {
          connections++
          socket.data = { hello: [], channel: undefined, out: [] }
          sockets.add(socket)
          const mood = options.onConnect?.() ?? 'accept'
          if (mood === 'close') socket.end()
          if (mood === 'garbage') socket.write(randomBytes(300))
          if (mood !== 'accept') sockets.delete(socket)
        },
        data: (socket, chunk) => {
          if (!sockets.has(socket)) return
          try {
            const rest = socket.data.channel ? chunk : shakeHands(socket, chunk)
            for (const payload of rest ? socket.data.channel!.open(rest) : []) receive(socket, payload)
          } catch {
            socket.end()
          }
        },
        drain,
        close: (socket) => {
          sockets.delete(socket)
        },
        error: (socket) => {
          sockets.delete(socket)
        },
      },
    })

  let listener: ReturnType<typeof listen> | undefined = listen(options.port ?? 0)
  const { port } = listener
  const dropConnections = (): void => {
    for (const socket of sockets) socket.terminate()
    sockets.clear()
  }
  return {
    host: '127.0.0.1',
    port,
    key,
    asked,
    get connections() {
      return connections
    },
    kill: () => {
      listener?.stop(true)
      listener = undefined
      dropConnections()
    },
    restart: () => {
      listener ??= listen(port)
    },
    dropConnections,
  }
}
