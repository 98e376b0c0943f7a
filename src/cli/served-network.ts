import { buildAdminApp } from '../api/admin/app.ts'
import { buildApp } from '../api/app.ts'
import type { KeyLookup } from '../api/middleware/api-key.ts'
import { createRequestMetrics } from '../api/middleware/metrics.ts'
import { V2_METHODS } from '../api/v2/method-table.ts'
import { V3_METHODS } from '../api/v3/method-table.ts'
import { EMULATE_METHODS } from '../api/v3/methods/emulate.ts'
import type { ArriveAccount, Chain } from '../chain/chain.ts'
import type { PendingTraces } from '../chain/pending-traces.ts'
import { startPendingWatch } from '../chain/pending-watch.ts'
import { systemClock } from '../common/clock.ts'
import { watchEventLoop } from '../common/event-loop-delay.ts'
import { createMetrics } from '../common/metrics.ts'
import { lastingSamples } from '../common/metrics-sum.ts'
import type { Settings } from '../config.ts'
import type { DevControl } from '../devnet/control.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import type { Pool } from '../liteserver/pool.ts'
import { createTrust, type TrustStore } from '../liteserver/trust.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { cacheParts } from './cache-parts.ts'
import { watchIndexLag } from './index-lag.ts'
import { indexReadiness } from './index-report.ts'
import { startLiveChain } from './live-chain.ts'
import type { IndexPlace, LiveIndex } from './live-index.ts'
import { startPayments } from './payments.ts'
import type { OwnSystem, Peers } from './peers.ts'
import { poolReadiness, poolStatus, privateStatus } from './pool-report.ts'
import { startPrivateChains } from './private-chains.ts'
import { seenControl } from './seen-control.ts'
import type { CommonParts } from './start-parts.ts'
import { leaveUpkeep, takeUpkeep } from './upkeep.ts'
import { hasWholeTrace } from './whole-trace.ts'

export type ServedNetworkOptions = Omit<CommonParts, 'onReload'> & {
  settings: Settings
  /** The name of the network, as API keys are bound to it. */
  network: KeyNetwork
  servers: GlobalConfig
  keys: KeyLookup
  /** Where reached key blocks are kept for the next start, on a network that only moves on. */
  trustStore?: TrustStore
  index: IndexPlace
  /** Tells of external messages that come to the network by any way (bags of cells), until the returned function is called. */
  onExternal?: (listener: (boc: Buffer) => void) => () => void
  /** What can be done to a live network of our own. */
  dev?: DevControl
  /** Where accounts come from another network. */
  arrive?: ArriveAccount | undefined
  /** The other processes that answer for this network; left out where there are none. */
  peers?: Peers | undefined
}

const MAX_CALLS = 512
/** Of answers that are given again within a second. A network of our own makes several blocks in that time: it gives none again. */

/** One network as HTTP shows it. */
export interface ServedNetwork {
  app: ReturnType<typeof buildApp>
  /** What operators ask, where they have a listener of their own. */
  admin: ReturnType<typeof buildAdminApp> | undefined
  /** Begins to keep the index; to be called once the app can be asked. */
  startIndex(): void
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
 * Starts what reads a network through its liteservers, and makes the app over it. Index, payments and webhooks are kept by
 * the first of several processes; the others read what it keeps.
 * @throws TonlithError `invalid` for a global config, a liteserver's key or an index that cannot be used
 */
export const serveNetwork = async (options: ServedNetworkOptions): Promise<ServedNetwork> => {
  const { settings, network, servers, tvm, logger, parts, peers } = options
  const { zeroState, initBlock, liteservers } = servers
  const store = options.trustStore
  const trust = createTrust({ level: settings.trust, zeroState, initBlock, ...(store ? { store } : {}) })
  const { plans } = settings
  const cache = cacheParts(settings.cache_memory)
  const upkeep = peers?.kind === 'further' ? leaveUpkeep(peers) : await takeUpkeep(options, peers)
  let index: LiveIndex | undefined
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
    ...upkeep.sources,
  })
  let live: Chain | undefined
  const watch = startPendingWatch({
    clock: systemClock,
    chain: () => live,
    isIndexed: (pending) => hasWholeTrace(index?.reader(), pending),
    failed: (err) => logger.error({ err }, 'a mistake in the emulation of messages'),
  })
  parts.add(watch.stop)
  const traces = toldToAll(watch.traces, peers)
  if (options.onExternal) parts.add(options.onExternal((boc) => void traces.add(parseBocRoot(boc))))
  const sentElsewhere = (boc: Buffer): void => void watch.traces.add(parseBocRoot(boc))
  if (peers) parts.add(peers.onSent(sentElsewhere))
  if (peers?.kind === 'further') for (const boc of peers.takePending()) sentElsewhere(boc)
  const common = {
    zeroState,
    trust,
    tvm,
    pending: traces,
    timeoutMs: settings.request_timeout,
    cacheBytes: Math.floor(cache.chain / (1 + plans.filter(({ globalConfig }) => globalConfig !== undefined).length)),
    metrics,
    logger,
    parts,
  }
  const [{ pool, chain }, privateChains] = await Promise.all([
    startLiveChain({ ...common, arrive: options.arrive, liteservers, firstIndex: 0 }),
    startPrivateChains(plans, { ...common, firstIndex: liteservers.length }),
  ])
  live = chain
  pools.push(pool, ...privateChains.map((live) => live.pool))
  const payments = await startPayments({
    settings,
    network,
    prunes: upkeep.keeps,
    counts: peers?.counts,
    chain,
    index: () => index,
    logger,
    parts,
  })
  upkeep.paymentsOpen(payments.store)
  const lag = watchIndexLag(() => index?.host.report(), systemClock.now)
  parts.add(lag.stop)
  const { admin_listen: adminAt } = settings
  const requestMetrics = createRequestMetrics()
  const own: OwnSystem = {
    readiness: () => {
      const live = poolReadiness(pool)
      return live.ready && index ? indexReadiness(index.host.report()) : live
    },
    status: () => ({
      ...poolStatus(pool),
      ...privateStatus(privateChains),
      ...upkeep.status(),
    }),
    counted: async () => ({ metrics: await metrics.registry.getMetricsAsJSON(), requests: requestMetrics.series() }),
    lasting: async () => ({ metrics: await lastingSamples(metrics.registry), requests: requestMetrics.series() }),
  }
  if (peers?.kind === 'first')
    peers.keep({
      webhooksDue: async () => upkeep.webhooksDue(),
      damage: async (reason) => index?.host.noteDamage(reason),
      wanted: async (uris) => index?.host.want(uris),
      pending: () => Array.from(watch.traces.all(), ({ message }) => cellToBoc(message)),
    })
  const system = {
    network,
    clock: systemClock,
    logger,
    logRequests: settings.log_level === 'debug' || settings.log_level === 'trace',
    registry: metrics.registry,
    requestMetrics,
    ...(peers ? peers.join(own) : own),
  }
  const app = buildApp({
    ...system,
    listenHost: settings.listen.host,
    operatorsApart: adminAt !== undefined,
    methods: V2_METHODS,
    chain,
    v3: {
      methods: V3_METHODS,
      emulateMethods: EMULATE_METHODS,
      index: () => index?.reader(),
      documents: () => index?.documents(),
      damaged: (reason) => index?.host.noteDamage(reason),
    },
    indexLag: lag.samples,
    merchant: {
      ...payments,
      webhooksDue: upkeep.webhooksDue,
      get keylessRps() {
        return settings.payments_keyless_rps
      },
      get merchantRps() {
        return settings.payments_rps
      },
    },
    ...(options.dev && { dev: seenControl(options.dev, pool) }),
    dialect: settings.dialect,
    keys: options.keys,
    privateChains: new Map(privateChains.map((live) => [live.plan, live.chain])),
    limits: {
      get keylessRps() {
        return settings.keyless_rps
      },
      get v3KeylessRps() {
        return settings.v3_keyless_rps
      },
      proxies: settings.trust_proxy,
      requestMs: settings.request_timeout,
      maxCalls: MAX_CALLS,
      cacheBytes: options.dev ? 0 : cache.answers,
    },
    ...(peers && { counts: peers.counts }),
    corsOrigins: settings.cors,
  })
  parts.add(async () => await index?.stop())
  return {
    app,
    admin:
      adminAt && upkeep.keeps
        ? buildAdminApp({ ...system, token: () => settings.admin_token, host: adminAt.host })
        : undefined,
    startIndex: () => {
      index = upkeep.startIndex?.()
      if (index) upkeep.indexBegun(index)
    },
  }
}
