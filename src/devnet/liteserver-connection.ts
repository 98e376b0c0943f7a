import type { Socket } from 'node:net'
import { nextTurn } from '../common/next-turn.ts'
import { acceptChannel, type Channel, HELLO_LENGTH, MAX_PACKET } from '../liteserver/adnl.ts'
import { encode } from '../ton/tl/codec.ts'
import { decodeMessage, encodeAdnlAnswer, encodeError } from '../ton/tl/lite-api.ts'
import { createClientAuthentication } from './client-authentication.ts'

/** Bounds of what one client can take; times in milliseconds, sizes in bytes. */
export interface ConnectionLimits {
  /** From the connection to the end of the handshake. */
  handshakeMs: number
  /** Without a packet from the client. */
  idleMs: number
  /** For a client to take what was written to it. */
  drainMs: number
  /** The longest packet that is taken: a message of 64 KiB and much room. */
  maxRequest: number
  /** Questions that wait for a block at the same time. */
  maxWaiting: number
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  handshakeMs: 10_000,
  idleMs: 600_000,
  drainMs: 30_000,
  maxRequest: 1 << 20,
  maxWaiting: 128,
}

/** Answers the bytes of one query; undefined leaves it without an answer. Never rejects. */
export type Answer = (query: Buffer) => Promise<Buffer | undefined>

const TOO_MANY_QUERIES = encodeError(228, 'too many queries wait for an answer')
const TOO_LONG = encodeError(-400, 'the answer is too long for a packet')
const EMPTY = Buffer.alloc(0)

/**
 * Serves one client over ADNL: handshake, pings, queries. The client is hung up on when it does not know the key, sends
 * what is no packet, is silent for too long or does not read its answers. It is not read from while it has answers to
 * take, so that it cannot make the server hold more than a few of them.
 */
export const serveConnection = (socket: Socket, seed: Buffer, answer: Answer, limits: ConnectionLimits): void => {
  let channel: Channel | undefined
  let hello = EMPTY
  let waiting = 0
  let busy = false
  const queue: Buffer[] = []
  const authentication = createClientAuthentication()
  const hangUp = (): void => {
    socket.destroy()
  }
  const handshake = setTimeout(hangUp, limits.handshakeMs)
  socket.setTimeout(limits.idleMs, hangUp)
  socket.setNoDelay(true)

  const send = (payload: Uint8Array): void => {
    if (channel && !socket.destroyed) socket.write(channel.seal(payload))
  }
  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(hangUp, limits.drainMs)
      const done = (): void => {
        clearTimeout(timer)
        socket.off('drain', done).off('close', done)
        resolve()
      }
      socket.on('drain', done).on('close', done)
    })
  const respond = async (id: Buffer, query: Buffer): Promise<void> => {
    if (waiting >= limits.maxWaiting) return send(encodeAdnlAnswer(id, TOO_MANY_QUERIES))
    waiting++
    const reply = await answer(query)
    waiting--
    if (!reply) return
    send(encodeAdnlAnswer(id, reply.length > MAX_PACKET - 256 ? TOO_LONG : reply))
  }
  const take = (payload: Buffer): void => {
    if (payload.length === 0) return
    const message = decodeMessage(payload)
    if (message._ === 'tcp.ping') send(encode({ _: 'tcp.pong', random_id: message.random_id }))
    else if (message._ === 'adnl.message.query') void respond(message.query_id, message.query)
    else if (message._ !== 'adnl.message.answer' && message._ !== 'tcp.pong') {
      const reply = authentication.take(message)
      if (reply) send(encode(reply))
    }
  }
  const work = async (): Promise<void> => {
    busy = true
    socket.pause()
    for (let payload = queue.shift(); payload && !socket.destroyed; payload = queue.shift()) {
      try {
        take(payload)
      } catch {
        hangUp()
      }
      await nextTurn()
      if (socket.writableNeedDrain) await drained()
    }
    busy = false
    socket.resume()
  }
  const receive = (chunk: Buffer): void => {
    let bytes = chunk
    if (!channel) {
      hello = Buffer.concat([hello, chunk])
      if (hello.length < HELLO_LENGTH) return
      channel = acceptChannel(hello.subarray(0, HELLO_LENGTH), seed, MAX_PACKET, limits.maxRequest)
      bytes = hello.subarray(HELLO_LENGTH)
      hello = EMPTY
      clearTimeout(handshake)
      send(EMPTY)
    }
    if (bytes.length > 0) queue.push(...channel.open(bytes))
    if (queue.length > 0 && !busy) void work()
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      receive(chunk)
    } catch {
      hangUp()
    }
  })
  socket.on('error', hangUp)
  socket.on('close', () => {
    clearTimeout(handshake)
    queue.length = 0
  })
}
