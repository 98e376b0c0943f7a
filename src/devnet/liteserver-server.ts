import { createServer, type Socket } from 'node:net'
import type { Clock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { silentLogger } from '../common/logger.ts'
import { ed25519PublicKey } from '../liteserver/curve25519.ts'
import type { Address } from '../ton/address.ts'
import type { TvmRunner } from '../tvm/local.ts'
import { createAnswer } from './answer.ts'
import type { Chain } from './chain.ts'
import type { Head } from './head.ts'
import { type ConnectionLimits, DEFAULT_LIMITS, serveConnection } from './liteserver-connection.ts'
import type { SendMessage } from './query.ts'

export interface LiteserverOptions {
  chain: Chain
  /** Where it stands; it moves as the chain grows. */
  head: Head
  /** Address to listen on; port 0 takes a free one. */
  listen: { host: string; port: number }
  /** Ed25519 seed, 32 bytes. */
  key: Buffer
  logger?: Logger
  /** Runs get-methods; left out, they are refused. */
  tvm?: TvmRunner
  /** Takes external messages; left out, they are refused. */
  send?: SendMessage
  /** Is told which accounts clients ask about. */
  sought?: ((account: Address) => void) | undefined
  /** What it tells as the time; the machine's clock unless given. */
  clock?: Pick<Clock, 'now'>
  limits?: Partial<ConnectionLimits>
  maxConnections?: number
}

export interface Liteserver {
  address: { host: string; port: number }
  /** Ed25519 public key, 32 bytes. */
  publicKey: Buffer
  /** Hangs up on everyone and frees the port. */
  stop(): Promise<void>
}

const MAX_CONNECTIONS = 256

/**
 * Starts a liteserver: ADNL over TCP, every method that a node answers. Rejects with `invalid` when the address cannot be
 * listened on. Who waits for a block goes on waiting when it stops, until the head is closed.
 */
export const createLiteserver = async (options: LiteserverOptions): Promise<Liteserver> => {
  const {
    chain,
    head,
    listen,
    key,
    logger = silentLogger,
    tvm,
    send,
    sought,
    clock,
    maxConnections = MAX_CONNECTIONS,
  } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const answer = createAnswer(chain, head, logger, { tvm, send, sought, ...(clock && { clock }) })
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
  return {
    address: { host: listen.host, port },
    publicKey: ed25519PublicKey(key),
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
