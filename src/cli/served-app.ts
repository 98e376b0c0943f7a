import { buildAdminApp } from '../api/admin/app.ts'
import { buildApp } from '../api/app.ts'
import type { LagSample } from '../api/dashboard/parts.ts'
import type { KeyLookup } from '../api/middleware/api-key.ts'
import { createRequestMetrics } from '../api/middleware/metrics.ts'
import { V2_METHODS } from '../api/v2/method-table.ts'
import { V3_METHODS } from '../api/v3/method-table.ts'
import { EMULATE_METHODS } from '../api/v3/methods/emulate.ts'
import { systemClock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { lastingSamples } from '../common/metrics-sum.ts'
import type { Settings } from '../config.ts'
import type { DevControl } from '../devnet/control.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { globalConfigText } from '../liteserver/global-config-text.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { cacheParts } from './cache-parts.ts'
import { indexReadiness } from './index-report.ts'
import type { LiveIndex } from './live-index.ts'
import type { NetworkReads } from './network-reads.ts'
import type { startPayments } from './payments.ts'
import type { OwnSystem, Peers } from './peers.ts'
import { poolReadiness, poolStatus, privateStatus } from './pool-report.ts'
import { readinessOf } from './readiness.ts'
import { seenControl } from './seen-control.ts'
import type { Upkeep } from './upkeep.ts'

/** What the app of one network is made of. */
export interface ServedAppParts {
  settings: Settings
  /** The name of the network, as API keys are bound to it. */
  network: KeyNetwork
  servers: GlobalConfig
  keys: KeyLookup
  logger: Logger
  reads: NetworkReads
  payments: Awaited<ReturnType<typeof startPayments>>
  upkeep: Upkeep
  /** Undefined until it has begun, and where none is kept. */
  index(): LiveIndex | undefined
  indexLag(): readonly LagSample[]
  /** What can be done to a live network of our own. */
  dev?: DevControl
  /** Why that network makes no blocks; undefined while it does. */
  halted?(): string | undefined
  peers?: Peers | undefined
}

const MAX_CALLS = 512

/** The HTTP side of one network, and that for operators where they have a listener of their own. */
export interface ServedApps {
  app: ReturnType<typeof buildApp>
  admin: ReturnType<typeof buildAdminApp> | undefined
}

/** Makes both over what reads and keeps the network. Limits are read anew for every request, as they change at a reload. */
export const servedApps = (of: ServedAppParts): ServedApps => {
  const { settings, network, logger, upkeep, index, peers, dev } = of
  const { pool, chain, privateChains, metrics } = of.reads
  const requestMetrics = createRequestMetrics()
  const own: OwnSystem = {
    readiness: () => {
      const kept = index()
      return readinessOf({
        halted: of.halted?.(),
        pool: poolReadiness(pool),
        index: kept && indexReadiness(kept.host.report()),
      })
    },
    status: () => ({ ...poolStatus(pool), ...privateStatus(privateChains), ...upkeep.status() }),
    counted: async () => ({ metrics: await metrics.registry.getMetricsAsJSON(), requests: requestMetrics.series() }),
    lasting: async () => ({ metrics: await lastingSamples(metrics.registry), requests: requestMetrics.series() }),
  }
  const { admin_listen: adminAt } = settings
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
      index: () => index()?.reader(),
      documents: () => index()?.documents(),
      damaged: (reason) => index()?.host.noteDamage(reason),
    },
    indexLag: of.indexLag,
    merchant: {
      ...of.payments,
      webhooksDue: upkeep.webhooksDue,
      get keylessRps() {
        return settings.payments_keyless_rps
      },
      get merchantRps() {
        return settings.payments_rps
      },
    },
    ...(dev && { dev: { control: seenControl(dev, pool), globalConfig: globalConfigText(of.servers) } }),
    dialect: settings.dialect,
    keys: of.keys,
    privateChains: new Map(privateChains.map((each) => [each.plan, each.chain])),
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
      // A network of our own makes several blocks in the second for which answers are kept: it gives none again.
      cacheBytes: dev ? 0 : cacheParts(settings.cache_memory).answers,
    },
    ...(peers && { counts: peers.counts }),
    corsOrigins: settings.cors,
  })
  const admin =
    adminAt && upkeep.keeps
      ? buildAdminApp({ ...system, token: () => settings.admin_token, host: adminAt.host })
      : undefined
  return { app, admin }
}
