import { lookupBlock } from '../chain/blocks.ts'
import type { Chain } from '../chain/chain.ts'
import { createChain } from '../chain/chain.ts'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { type BlockSource, createBlockSource } from '../indexer/block-source.ts'
import type { HistorySource } from '../indexer/history-source.ts'
import type { HeadSource } from '../indexer/pipeline.ts'
import { createPool, type Pool } from '../liteserver/pool.ts'
import { createTrust, type TrustStore } from '../liteserver/trust.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import type { TvmPool } from '../tvm/pool.ts'
import { createHistorySource } from './index-history-source.ts'
import type { IndexOrder } from './index-messages.ts'

/** The index's own way to the liteservers. */
export interface IndexPool {
  /** Blocks for one purpose, with troubles of its own. */
  source(): BlockSource
  head: HeadSource
  histories: HistorySource
  /** The connections of this moment. */
  pool(): Pool
  /** Live reads through them. */
  chain(): Chain
  /** Drops all connections and makes new ones. */
  renew(): void
  stop(): void
}

const WAIT_MS = 5_000

/**
 * Connects as the gateway does: the same liteservers, the same trust. Key blocks that trust reaches are kept by the gateway
 * alone. Without `tvm` its live reads refuse get-methods.
 */
export const createIndexPool = (
  {
    servers,
    trust: level,
    timeoutMs,
    tvm,
    cache,
  }: Pick<IndexOrder, 'servers' | 'trust' | 'timeoutMs'> &
    Partial<Pick<IndexOrder, 'cache'>> & { tvm?: TvmPool | undefined },
  store: Pick<TrustStore, 'load'>,
  clock: Clock,
  logger: Logger,
): IndexPool => {
  const { zeroState, initBlock, liteservers } = servers
  const trust = createTrust({ level, zeroState, initBlock, store: { load: store.load, save: () => {} } })
  const open = (): { pool: Pool; chain: Chain } => {
    const pool = createPool({ liteservers, zeroState, verifyHead: trust.verifyHead, timeoutMs, clock })
    pool.start()
    return { pool, chain: createChain({ pool, trust, zeroState, cacheBytes: cache?.chain, ...(tvm && { tvm }) }) }
  }
  let current = open()
  let known = 0

  const headSeqno = (): number | undefined => {
    known = Math.max(known, current.pool.head()?.id.seqno ?? 0)
    return known === 0 ? undefined : known
  }

  const masterchainId = async (seqno: number, signal: AbortSignal): Promise<BlockIdExt> => {
    const head = current.pool.head()
    if (head?.id.seqno === seqno) return head.id
    return (await lookupBlock(current.chain, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }, signal)).id
  }

  const reached = async (seqno: number, signal: AbortSignal): Promise<number> => {
    for (;;) {
      signal.throwIfAborted()
      const head = headSeqno()
      if (head !== undefined && head >= seqno) return head
      await current.pool.waitForHead(seqno, { timeoutMs: WAIT_MS, signal }).catch(() => {})
    }
  }

  return {
    source: () => createBlockSource({ pool: () => current.pool, masterchainId, clock }),
    head: { seqno: headSeqno, reached },
    histories: createHistorySource(() => current.chain),
    pool: () => current.pool,
    chain: () => current.chain,
    renew: () => {
      logger.warn({}, 'the index connects to the liteservers anew')
      const { pool } = current
      current = open()
      pool.stop()
    },
    stop: () => current.pool.stop(),
  }
}
