import type { ArriveAccount, Chain } from '../chain/chain.ts'
import type { PendingTraces } from '../chain/pending-traces.ts'
import { startPendingWatch } from '../chain/pending-watch.ts'
import { systemClock } from '../common/clock.ts'
import { watchEventLoop } from '../common/event-loop-delay.ts'
import { createMetrics, type MetricSources } from '../common/metrics.ts'
import type { Settings } from '../config.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import type { Pool } from '../liteserver/pool.ts'
import { createTrust, type TrustStore } from '../liteserver/trust.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { cacheParts } from './cache-parts.ts'
import { startLiveChain } from './live-chain.ts'
import type { Peers } from './peers.ts'
import { type PrivateChain, startPrivateChains } from './private-chains.ts'
import type { CommonParts } from './start-parts.ts'
import { hasWholeTrace } from './whole-trace.ts'

/** What reading takes of the served network. */
export type NetworkReadsOptions = Pick<CommonParts, 'logger' | 'tvm' | 'parts'> & {
  settings: Settings
  servers: GlobalConfig
  /** Where reached key blocks are kept for the next start, on a network that only moves on. */
  trustStore?: TrustStore
  /** Tells of external messages that come to the network by any way (bags of cells), until the returned function is called. */
  onExternal?: (listener: (boc: Buffer) => void) => () => void
  /** Where accounts come from another network. */
  arrive?: ArriveAccount | undefined
  /** The other processes that answer for this network; left out where there are none. */
  peers?: Peers | undefined
}

/** What reads one network through its liteservers. */
export interface NetworkReads {
  /** The liteservers of everybody. */
  pool: Pool
  chain: Chain
  privateChains: readonly PrivateChain[]
  metrics: ReturnType<typeof createMetrics>
  /** External messages (bags of cells) that were sent through any process and wait for their transactions. */
  pending(): Buffer[]
}

/** What was sent through this process is known to all of them. */
const toldToAll = (traces: PendingTraces, peers: Peers | undefined): PendingTraces =>
  peers
    ? {
        ...traces,
        add: (message) => {
          traces.add(message)
          return peers.tellSent(cellToBoc(message))
        },
      }
    : traces

/**
 * Starts the pools, the live reads through them and the watch over messages that were sent.
 * @param index its reader, once there is one: it tells which messages have their transactions
 * @param sources what metrics tell beside the liteservers, the event loop and the TVM
 * @throws TonlithError `invalid` for a global config or a liteserver's key that cannot be used
 */
export const startNetworkReads = async (
  { settings, servers, tvm, logger, parts, peers, ...options }: NetworkReadsOptions,
  index: () => IndexReader | undefined,
  sources: Partial<MetricSources>,
): Promise<NetworkReads> => {
  const { zeroState, initBlock, liteservers } = servers
  const { trustStore: store, onExternal, arrive } = options
  const { plans } = settings
  const trust = createTrust({ level: settings.trust, zeroState, initBlock, ...(store && { store }) })
  const pools: Pool[] = []
  const eventLoop = watchEventLoop()
  parts.add(eventLoop.stop)
  const metrics = createMetrics({
    eventLoop: eventLoop.take,
    servers: () =>
      pools
        .flatMap((pool) => pool.status())
        .map((server, place) => ({ ...server, index: place, online: server.state === 'online' })),
    tvm: tvm.figures,
    ...sources,
  })
  let live: Chain | undefined
  const { traces, stop } = startPendingWatch({
    clock: systemClock,
    chain: () => live,
    isIndexed: (pending) => hasWholeTrace(index(), pending),
    failed: (err) => logger.error({ err }, 'a mistake in the emulation of messages'),
  })
  parts.add(stop)
  const shared = toldToAll(traces, peers)
  if (onExternal) parts.add(onExternal((boc) => void shared.add(parseBocRoot(boc))))
  const sentElsewhere = (boc: Buffer): void => void traces.add(parseBocRoot(boc))
  if (peers) parts.add(peers.onSent(sentElsewhere))
  if (peers?.kind === 'further') for (const boc of peers.takePending()) sentElsewhere(boc)
  const chains = 1 + plans.filter(({ globalConfig }) => globalConfig !== undefined).length
  const common = {
    zeroState,
    trust,
    tvm,
    pending: shared,
    timeoutMs: settings.request_timeout,
    cacheBytes: Math.floor(cacheParts(settings.cache_memory).chain / chains),
    metrics,
    logger,
    parts,
  }
  const [{ pool, chain }, privateChains] = await Promise.all([
    startLiveChain({ ...common, arrive, liteservers, firstIndex: 0 }),
    startPrivateChains(plans, { ...common, firstIndex: liteservers.length }),
  ])
  live = chain
  pools.push(pool, ...privateChains.map((each) => each.pool))
  return {
    pool,
    chain,
    privateChains,
    metrics,
    pending: () => Array.from(traces.all(), ({ message }) => cellToBoc(message)),
  }
}
