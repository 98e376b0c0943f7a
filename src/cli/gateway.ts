import { buildApp } from '../api/app.ts'
import type { ApiKey } from '../api/middleware/api-key.ts'
import { V2_METHODS } from '../api/v2/method-table.ts'
import { createChain } from '../chain/chain.ts'
import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { createMetrics } from '../common/metrics.ts'
import type { Settings } from '../config.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { createPool, type Pool } from '../liteserver/pool.ts'
import { createTrust, type TrustStore } from '../liteserver/trust.ts'
import { createKeyLookup, readApiKeys, type StoredKey } from './api-keys.ts'
import { listen } from './listen.ts'
import { poolReadiness, poolStatus } from './pool-report.ts'
import { watchServers } from './server-log.ts'
import type { CommonParts } from './start-parts.ts'

/** What `serve` and `dev` tell their common part. */
export type GatewayOptions = CommonParts & {
  settings: Settings
  /** The name of the network, as API keys are bound to it. */
  network: ApiKey['network']
  servers: GlobalConfig
  /** An API key without a limit. */
  freeKey: string | undefined
  /** Where reached key blocks are kept for the next start, on a network that only moves on. */
  trustStore?: TrustStore
}

/** The start waits this long for a liteserver; without one it goes on and answers with errors until one is there. */
const FIRST_SERVER_MS = 5_000
const MAX_CALLS = 2_048
const CACHE_BYTES = 64 << 20

/**
 * Starts what answers HTTP from liteservers. Gives the URL, once requests are answered.
 * @throws TonlithError `invalid` for a file of keys, a liteserver's key or an address that cannot be used
 */
export const startGateway = async (options: GatewayOptions): Promise<string> => {
  const { settings, network, servers, tvm, logger, parts } = options
  const keys = await allKeys(options)
  const metrics = createMetrics({
    servers: () => pool.status().map((server) => ({ ...server, online: server.state === 'online' })),
  })
  const { zeroState, initBlock } = servers
  const store = options.trustStore
  const trust = createTrust({ level: settings.trust, zeroState, initBlock, ...(store ? { store } : {}) })
  const pool = createPool({
    liteservers: servers.liteservers,
    zeroState,
    verifyHead: trust.verifyHead,
    timeoutMs: settings.request_timeout,
    observe: ({ index, method, outcome, ms }) => {
      metrics.liteserverQueries.inc({ server: index, method, outcome })
      metrics.liteserverSeconds.observe({ method }, ms / 1000)
    },
    observeFault: ({ index, banned }) => {
      const counter = banned ? metrics.liteserverBans : metrics.liteserverRefusals
      counter.inc({ server: index })
    },
  })
  pool.start()
  parts.add(pool.stop)
  parts.add(watchServers(pool, logger))
  await firstServer(pool, logger)
  const chain = createChain({ pool, trust, zeroState, tvm })
  const app = buildApp({
    methods: V2_METHODS,
    chain,
    dialect: settings.dialect,
    network,
    keys: createKeyLookup(keys),
    limits: {
      keylessRps: settings.keyless_rps,
      requestMs: settings.request_timeout,
      maxCalls: MAX_CALLS,
      cacheBytes: CACHE_BYTES,
    },
    corsOrigins: settings.cors,
    clock: systemClock,
    logger,
    registry: metrics.registry,
    logRequests: settings.log_level === 'debug' || settings.log_level === 'trace',
    readiness: () => poolReadiness(pool),
    status: () => poolStatus(pool),
  })
  const server = listen(app, settings.listen)
  parts.add(server.stop)
  return server.url
}

const allKeys = async ({ settings, network, freeKey }: GatewayOptions): Promise<StoredKey[]> => {
  const stored = settings.keys_file === undefined ? [] : await readApiKeys(settings.keys_file)
  return freeKey === undefined ? stored : [...stored, { name: 'api_key', network, rps: 0, secret: freeKey }]
}

const firstServer = async (pool: Pool, logger: Logger): Promise<void> => {
  try {
    await pool.ready({ timeoutMs: FIRST_SERVER_MS })
  } catch (error) {
    if (!isTonlithError(error, 'timeout')) throw error
    logger.warn({}, 'no liteserver answers yet; requests will fail until one does')
  }
}
