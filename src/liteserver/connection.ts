import { randomBytes } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { encode } from '../ton/tl/codec.ts'
import { decodeMessage, encodeAdnlQuery } from '../ton/tl/lite-api.ts'
import { MAX_PACKET, openChannel } from './adnl.ts'
import { ConnectionError, type ConnectionStage, queryTimeout } from './connection-error.ts'
import { createSendQueue, type Sent } from './send-queue.ts'

/** Where a liteserver listens, and its Ed25519 public key (32 bytes). */
export interface Endpoint {
  host: string
  port: number
  key: Buffer
}

export interface ConnectionOptions {
  /** Milliseconds for the TCP connection and the handshake together. */
  connectTimeoutMs: number
  /** A ping goes out this often; three times as long without a byte from the server end the connection. */
  pingIntervalMs: number
  /** More queries than this do not wait for answers at the same time. */
  maxInFlight: number
  /** Told once, when a connection that was open is no more. */
  onClose?: ((error: ConnectionError) => void) | undefined
  /** Told the milliseconds from each ping to its pong. */
  onPong?: ((ms: number) => void) | undefined
}

export const CONNECTION_DEFAULTS = { connectTimeoutMs: 5_000, pingIntervalMs: 5_000, maxInFlight: 4_096 } as const

/** An open connection to one liteserver. */
export interface Connection {
  /**
   * Sends one ADNL query, gives the answer's bytes. Throws `timeout` after `timeoutMs` or when `signal` aborts, a
   * ConnectionError when the connection breaks, `unavailable` when too many queries are in flight, `limit` when the
   * query is too long.
   */
  query(bytes: Buffer, options: { timeoutMs: number; signal?: StopSignal | undefined }): Promise<Buffer>
  readonly inFlight: number
  readonly closed: boolean
  /** Ends the connection; queries in flight fail. */
  close(): void
}

/** Longer queries do not fit into a packet. */
const MAX_QUERY = MAX_PACKET - 256

interface Pending {
  resolve(answer: Buffer): void
  reject(error: Error): void
  sent: Sent
}

/**
 * Connects to a liteserver. Rejects with a ConnectionError whose stage tells a network failure (`connect`) from a server
 * that refused our opening (`handshake`), and with `invalid` when the key is no Ed25519 key.
 */
export const connect = (endpoint: Endpoint, options: ConnectionOptions): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const { hello, channel } = openChannel(endpoint.key)
    const where = `liteserver ${endpoint.host}:${endpoint.port}`
    const pending = new Map<number, Pending>()
    const idPrefix = randomBytes(28)
    const pings = new Map<bigint, number>()
    let stage: ConnectionStage | 'closed' = 'connect'
    let socket: Bun.Socket<undefined> | undefined
    let nextId = 0
    let heardAt = performance.now()
    let pingTimer: ReturnType<typeof setInterval> | undefined

    const queue = createSendQueue(channel.seal, (bytes) => socket?.write(bytes) ?? 0)

    const fail = (reason: string, cause?: unknown): void => {
      if (stage === 'closed') return
      const at = stage
      stage = 'closed'
      clearTimeout(connectTimer)
      clearInterval(pingTimer)
      socket?.terminate()
      const error = (written: boolean) => new ConnectionError(`${where}: ${reason}`, at, { written, cause })
      const lost = [...pending.values()]
      pending.clear()
      for (const query of lost) query.reject(error(query.sent.written))
      if (at === 'open') options.onClose?.(error(false))
      else reject(error(false))
    }

    const receive = (payload: Buffer): void => {
      if (stage === 'handshake') {
        if (payload.length !== 0) throw new TonlithError('malformed', 'the first packet is not empty')
        established()
        return
      }
      if (payload.length === 0) return
      const message = decodeMessage(payload)
      if (message._ === 'adnl.message.answer') answered(message.query_id, message.answer)
      else if (message._ === 'tcp.ping') queue.push(encode({ _: 'tcp.pong', random_id: message.random_id }))
      else if (message._ === 'tcp.pong') ponged(message.random_id)
    }

    const answered = (query_id: Buffer, answer: Buffer): void => {
      if (query_id.compare(idPrefix, 0, idPrefix.length, 4) !== 0) return
      const id = query_id.readUInt32LE(0)
      const query = pending.get(id)
      pending.delete(id)
      query?.resolve(answer)
    }

    const ponged = (id: bigint): void => {
      const sentAt = pings.get(id)
      pings.delete(id)
      if (sentAt !== undefined) options.onPong?.(performance.now() - sentAt)
    }

    const ping = (): void => {
      const now = performance.now()
      if (now - heardAt > 3 * options.pingIntervalMs) {
        fail('silent for too long', queryTimeout())
        return
      }
      const random_id = randomBytes(8).readBigInt64LE()
      pings.clear()
      pings.set(random_id, now)
      queue.push(encode({ _: 'tcp.ping', random_id }))
    }

    const established = (): void => {
      stage = 'open'
      clearTimeout(connectTimer)
      pingTimer = setInterval(ping, options.pingIntervalMs)
      resolve(connection)
    }

    const connection: Connection = {
      query: (bytes, { timeoutMs, signal }) =>
        new Promise((succeed, refuse) => {
          if (stage !== 'open') return refuse(new ConnectionError(`${where}: not connected`, 'connect'))
          if (signal?.aborted) return refuse(queryTimeout())
          if (bytes.length > MAX_QUERY) return refuse(new TonlithError('limit', `a query of ${bytes.length} bytes`))
          if (pending.size >= options.maxInFlight)
            return refuse(new TonlithError('unavailable', `${where}: too many queries in flight`))
          const id = nextId++ >>> 0
          const query_id = Buffer.allocUnsafe(32)
          query_id.writeUInt32LE(id, 0)
          idPrefix.copy(query_id, 4)
          const settle = (): void => {
            clearTimeout(timer)
            signal?.removeEventListener('abort', giveUp)
          }
          const giveUp = (): void => {
            settle()
            pending.delete(id)
            queue.drop(sent)
            refuse(queryTimeout())
          }
          const timer = setTimeout(giveUp, timeoutMs)
          signal?.addEventListener('abort', giveUp)
          const sent = queue.push(encodeAdnlQuery(query_id, bytes))
          pending.set(id, {
            sent,
            resolve: (answer) => {
              settle()
              succeed(answer)
            },
            reject: (error) => {
              settle()
              refuse(error)
            },
          })
        }),
      get inFlight() {
        return pending.size
      },
      get closed() {
        return stage === 'closed'
      },
      close: () => fail('closed by us', new TonlithError('unavailable', 'closed by us')),
    }

    const connectTimer = setTimeout(
      () =>
        fail(stage === 'connect' ? 'no TCP connection in time' : 'no answer to the handshake in time', queryTimeout()),
      options.connectTimeoutMs,
    )
    void openSocket(endpoint, {
      open: (opened) => {
        if (stage === 'closed') return opened.terminate()
        socket = opened
        stage = 'handshake'
        queue.start(hello)
      },
      data: (chunk) => {
        heardAt = performance.now()
        for (const payload of channel.open(chunk)) if (stage !== 'closed') receive(payload)
      },
      drain: () => queue.flush(),
      fail,
    })
  })

interface SocketEvents {
  open(socket: Bun.Socket<undefined>): void
  data(chunk: Buffer): void
  drain(): void
  fail(reason: string, cause?: unknown): void
}

const openSocket = async ({ host, port }: Endpoint, events: SocketEvents): Promise<void> => {
  const hungUp = (_: unknown, error?: unknown): void => events.fail('the server closed the connection', error)
  try {
    await Bun.connect({
      hostname: host,
      port,
      socket: {
        open: (socket) => {
          socket.setNoDelay(true)
          events.open(socket)
        },
        data: (_, chunk) => {
          try {
            events.data(chunk)
          } catch (error) {
            events.fail(`the server sent garbage (${(error as Error).message})`, error)
          }
        },
        drain: () => events.drain(),
        end: (socket) => hungUp(socket),
        close: hungUp,
        error: (_, error) => events.fail(error.message, error),
      },
    })
  } catch (error) {
    events.fail((error as Error).message, error)
  }
}
