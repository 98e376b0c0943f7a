import { type ArriveAccount, type Chain, createChain } from '../chain/chain.ts'
import type { PendingTraces } from '../chain/pending-traces.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { createMetrics } from '../common/metrics.ts'
import type { StopStack } from '../common/shutdown.ts'
import type { Endpoint } from '../liteserver/connection.ts'
import { createPool, type Pool } from '../liteserver/pool.ts'
import type { Trust } from '../liteserver/trust.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { TvmPool } from '../tvm/pool.ts'
import { watchServers } from './server-log.ts'

/** The start waits this long for a liteserver; without one it goes on and answers with errors until one is there. */
const FIRST_SERVER_MS = 5_000

export interface LiveChainOptions {
  liteservers: readonly Endpoint[]
  zeroState: BlockIdExt
  trust: Trust
  tvm: TvmPool
  arrive?: ArriveAccount | undefined
  pending: PendingTraces
  timeoutMs: number
  /** Of memory for what was read, of each chain. */
  cacheBytes: number
  /** Where its questions are counted; servers have the numbers from `firstIndex` on. */
  metrics: ReturnType<typeof createMetrics>
  firstIndex: number
  logger: Logger
  parts: StopStack
}

/** Starts a pool on some liteservers, and live reads through it, once one of them answers or has had its time. */
export const startLiveChain = async (options: LiveChainOptions): Promise<{ pool: Pool; chain: Chain }> => {
  const { liteservers, zeroState, trust, tvm, pending, arrive, timeoutMs, cacheBytes, firstIndex, logger, parts } =
    options
  const pool = createPool({
    liteservers,
    zeroState,
    verifyHead: trust.verifyHead,
    timeoutMs,
    observe: ({ index, method, outcome, ms }) => {
      const { liteserverQueries, liteserverSeconds } = options.metrics
      liteserverQueries.inc({ server: firstIndex + index, method, outcome })
      liteserverSeconds.observe({ method }, ms / 1000)
    },
    observeFault: ({ index, banned }) => {
      const { liteserverBans, liteserverRefusals } = options.metrics
      const counter = banned ? liteserverBans : liteserverRefusals
      counter.inc({ server: firstIndex + index })
    },
  })
  pool.start()
  parts.add(pool.stop)
  parts.add(watchServers(pool, logger))
  await firstServer(pool, logger)
  return { pool, chain: createChain({ pool, trust, zeroState, tvm, pending, arrive, cacheBytes }) }
}

const firstServer = async (pool: Pool, logger: Logger): Promise<void> => {
  try {
    await pool.ready({ timeoutMs: FIRST_SERVER_MS })
  } catch (error) {
    if (!isTonlithError(error, 'timeout')) throw error
    logger.warn({}, 'no liteserver answers yet; requests will fail until one does')
  }
}
