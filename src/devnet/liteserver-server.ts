import { createServer, type Socket } from 'node:net'
import { TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { silentLogger } from '../common/logger.ts'
import { ed25519PublicKey } from '../liteserver/curve25519.ts'
import type { TvmPool } from '../tvm/pool.ts'
import { createAnswer } from './answer.ts'
import type { Chain } from './chain.ts'
import { createHead } from './head.ts'
import { type ConnectionLimits, DEFAULT_LIMITS, serveConnection } from './liteserver-connection.ts'

export interface LiteserverOptions {
  archive: Chain
  /** Address to listen on; port 0 takes a free one. */
  listen: { host: string; port: number }
  /** Ed25519 seed, 32 bytes. */
  key: Buffer
  /** Masterchain block to stand at first; the last one of the archive by default. */
  head?: number
  /** Moves the head on by one masterchain block every so many milliseconds. */
  replayMs?: number
  logger?: Logger
  /** Runs get-methods; left out, they are refused. */
  tvm?: TvmPool
  limits?: Partial<ConnectionLimits>
  maxConnections?: number
}

export interface Liteserver {
  address: { host: string; port: number }
  /** Ed25519 public key, 32 bytes. */
  publicKey: Buffer
  /** Seqno of the masterchain block that it stands at. */
  head(): number
  /** Moves to another block of the archive. Throws `invalid` when the archive does not have it. */
  setHead(seqno: number): void
  /** Hangs up on everyone and frees the port. */
  stop(): Promise<void>
}

const MAX_CONNECTIONS = 256

/**
 * Starts an archive's liteserver: ADNL over TCP, every method that a node answers. Rejects with `invalid` when the head
 * is not in the archive or the address cannot be listened on.
 */
export const createLiteserver = async (options: LiteserverOptions): Promise<Liteserver> => {
  const { archive, listen, key, replayMs, logger = silentLogger, maxConnections = MAX_CONNECTIONS } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const check = (seqno: number): number => {
    if (!archive.masterchain(seqno)) throw new TonlithError('invalid', `the archive has blocks 1 to ${archive.last}`)
    return seqno
  }
  const head = createHead(check(options.head ?? archive.last))
  const answer = createAnswer(archive, head, logger, { tvm: options.tvm })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= maxConnections) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection(socket, key, answer, limits)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new TonlithError('invalid', `cannot listen on ${listen.host}:${listen.port}`, { cause }))
    })
    server.listen(listen.port, listen.host, resolve)
  })
  server.on('error', (err) => logger.error({ err }, 'the liteserver failed'))
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : listen.port
  const replay =
    replayMs === undefined
      ? undefined
      : setInterval(() => {
          if (head.seqno < archive.last) head.set(head.seqno + 1)
        }, replayMs)
  return {
    address: { host: listen.host, port },
    publicKey: ed25519PublicKey(key),
    head: () => head.seqno,
    setHead: (seqno) => head.set(check(seqno)),
    stop: () => {
      clearInterval(replay)
      head.close()
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
