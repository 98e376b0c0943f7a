import { Registry } from 'prom-client'
import { buildApp } from '../../src/api/app.ts'
import type { KeyLookup } from '../../src/api/middleware/api-key.ts'
import { V2_METHODS } from '../../src/api/v2/method-table.ts'
import { type Chain, createChain } from '../../src/chain/chain.ts'
import { systemClock } from '../../src/common/clock.ts'
import { silentLogger } from '../../src/common/logger.ts'
import { NO_PROXIES } from '../../src/common/proxies.ts'
import type { ArchiveOptions } from '../../src/devnet/archive-liteserver.ts'
import { createPool, type Pool, type PoolOptions } from '../../src/liteserver/pool.ts'
import { createTrust, type Trust } from '../../src/liteserver/trust.ts'
import type { TvmPool } from '../../src/tvm/pool.ts'
import { startArchive } from './archive-client.ts'
import { recordedChain } from './recorded-chain.ts'
import { startTvm } from './tvm.ts'

/** A chain that is read through a real connection to an archive liteserver over the recorded network. */
export interface ArchiveReader {
  chain: Chain
  /** Questions that the liteserver answered, by method without its prefix. */
  asked(): Readonly<Record<string, number>>
  setHead(seqno: number): void
  stop(): Promise<void>
}

/** Live reads of the recorded network through a pool. */
export const recordedReads = (pool: Pool, trust: Trust, tvm?: TvmPool): Chain =>
  createChain({ pool, trust, zeroState: recordedChain().zerostate(-1)!.id, ...(tvm && { tvm }) })

/** Starts an archive liteserver and a pool on it. Proofs are checked; heads are believed, since few are signed. */
export const startArchiveReader = async (
  options: Partial<ArchiveOptions> = {},
  poolOptions: Partial<PoolOptions> = {},
): Promise<ArchiveReader> => {
  const server = await startArchive(options)
  const zeroState = recordedChain().zerostate(-1)!.id
  const counts: Record<string, number> = {}
  const trust = createTrust({ level: 'proofs', zeroState, initBlock: zeroState })
  const pool = createPool({
    liteservers: [{ ...server.address, key: server.publicKey }],
    zeroState,
    observe: ({ method }) => {
      const name = method.replace('liteServer.', '')
      counts[name] = (counts[name] ?? 0) + 1
    },
    ...poolOptions,
  })
  pool.start()
  await pool.ready()
  const tvm = startTvm()
  return {
    chain: recordedReads(pool, trust, tvm),
    asked: () => ({ ...counts }),
    setHead: server.setHead,
    stop: async () => {
      tvm.stop()
      pool.stop()
      await server.stop()
    },
  }
}

/** The whole gateway over such a chain, without a port of its own. */
export interface ArchiveGateway extends ArchiveReader {
  fetch(request: Request): Promise<Response>
}

const LIMITS = {
  keylessRps: 0,
  v3KeylessRps: 0,
  proxies: NO_PROXIES,
  requestMs: 10_000,
  maxCalls: 1_000,
  cacheBytes: 0,
}

/** The whole gateway over a chain, from the request to the response, without a port of its own. */
export const gatewayOver = (
  chain: Chain,
  keys: KeyLookup = () => undefined,
): ((request: Request) => Promise<Response>) => {
  const app = buildApp({
    methods: V2_METHODS,
    chain,
    dialect: 'spec',
    network: 'dev',
    privateChains: new Map(),
    keys,
    limits: LIMITS,
    corsOrigins: [],
    clock: systemClock,
    logger: silentLogger,
    registry: new Registry(),
    logRequests: false,
    readiness: () => ({ ready: true }),
    status: () => ({}),
  })
  return async (request) => await app.handle(request)
}

export const startArchiveGateway = async (
  options: Partial<ArchiveOptions> = {},
  keys?: KeyLookup,
): Promise<ArchiveGateway> => {
  const reader = await startArchiveReader(options)
  return { ...reader, fetch: gatewayOver(reader.chain, keys) }
}
