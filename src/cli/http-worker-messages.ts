import type { RequestSeries } from '../api/middleware/metrics.ts'
import type { Readiness, SystemStatus } from '../api/system/routes.ts'
import type { MetricSamples } from '../common/metrics-sum.ts'
import { NO_PROXIES, proxiesOf } from '../common/proxies.ts'
import type { Address } from '../config/kinds.ts'
import { SETTINGS, type Setting, type Settings } from '../config.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { DevCall } from './dev-messages.ts'
import type { IndexReport } from './index-host.ts'

/** The number under which it finds the file of shared counts. */
export const COUNTS_FD = 3

/** Settings as plain data. */
export type WireSettings = Omit<Settings, 'trust_proxy'> & { trust_proxy: { hops: number } | { networks: string[] } }

/** What SIGHUP can change. */
export type LiveSettings = Partial<Settings>

const LIVE = (SETTINGS as readonly Setting[]).filter(({ live }) => live).map(({ key }) => key as keyof Settings)

/** Settings on their way to another process. */
export const wireSettings = ({ trust_proxy: proxies, ...rest }: Settings): WireSettings => ({
  ...rest,
  trust_proxy: 'hops' in proxies ? { hops: proxies.hops } : { networks: [...proxies.networks] },
})

/** The settings that another process has sent. */
export const settingsOfWire = ({ trust_proxy: proxies, ...rest }: WireSettings): Settings => ({
  ...rest,
  trust_proxy: 'hops' in proxies ? proxies : (proxiesOf(proxies.networks) ?? NO_PROXIES),
})

/** Those of the settings that may have changed. */
export const liveSettings = (settings: Settings): LiveSettings =>
  Object.fromEntries(LIVE.map((key) => [key, settings[key]]))

/** What a further process is told at its start. */
export interface HttpOrder {
  /** Its number: the first process has 1. */
  place: number
  settings: WireSettings
  /** Where it listens, beside the others. */
  listen: Address
  network: KeyNetwork
  servers: GlobalConfig
  freeKey: string | undefined
  /** The folder that the index is in. */
  home: string
  /** Undefined where none is kept. */
  index: IndexReport | undefined
  /** External messages (bags of cells) that were sent and wait for their transactions. */
  pending: Uint8Array[]
  /** The network is a live one of our own; `fork`: accounts come from another one. */
  dev: boolean
  fork: boolean
}

/** What a process counted. */
export interface WorkerCounts {
  metrics: MetricSamples
  requests: readonly RequestSeries[]
}

/** What a process says of itself alone. */
export interface WorkerReport extends WorkerCounts {
  readiness: Readiness
  status: SystemStatus
}

/** What the first process asks of a further one. */
export type WorkerFunctions = {
  /** Ends when it answers HTTP. */
  start(order: HttpOrder): Promise<void>
  report(): Promise<WorkerReport>
  /** What stays counted once it has ended: without what is the case now. */
  lasting(): Promise<WorkerCounts>
  /** Somebody sent this external message (a bag of cells). */
  sent(boc: Uint8Array): Promise<void>
  index(report: IndexReport): Promise<void>
  settings(live: LiveSettings): Promise<void>
  /** Nothing may read the network until `resume`; requests are answered with errors meanwhile. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Ends it, as SIGTERM does. */
  stop(): Promise<void>
}

/** What a further process asks of the first one. */
export type FirstFunctions = {
  /** Of all processes together. */
  readiness(): Promise<Readiness>
  status(): Promise<SystemStatus>
  metrics(): Promise<string>
  sent(boc: Uint8Array): Promise<void>
  webhooksDue(): Promise<void>
  /** Something in the index cannot be read. */
  damage(reason: string): Promise<void>
  /** URIs of tokens that are to be fetched. */
  wanted(uris: string[]): Promise<void>
  dev(call: DevCall): Promise<unknown>
}
