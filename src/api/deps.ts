import type { Registry } from 'prom-client'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import type { TrustedProxies } from '../common/proxies.ts'
import type { DevControl } from '../devnet/control.ts'
import type { DocumentOf } from '../model/token-info.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import type { LagSample } from './dashboard/parts.ts'
import type { SignInLimits } from './dashboard/sign-in-limit.ts'
import type { MerchantParts } from './merchant/parts.ts'
import type { KeyLookup } from './middleware/api-key.ts'
import type { AllowedOrigins } from './middleware/cors.ts'
import type { RequestMetrics } from './middleware/metrics.ts'
import type { RateLimiter } from './middleware/rate-limit.ts'
import type { Readiness, SystemStatus } from './system/routes.ts'
import type { Dialect } from './v2/dialect.ts'
import type { Method } from './v2/method.ts'
import type { Method as V3Method } from './v3/method.ts'

/** The bounds that the HTTP side works within. The two rates may change while it runs. */
export interface ApiLimits {
  /** Requests per second of an address without a key to API v2; 0 = no limit. */
  readonly keylessRps: number
  /** The same for API v3, counted apart. */
  readonly v3KeylessRps: number
  /** Whose word about a client's address is believed. */
  readonly proxies: TrustedProxies
  /** Milliseconds that an answer may take before the caller gets 504. */
  readonly requestMs: number
  /** Calls that may be under way at once; more are refused with 503. */
  readonly maxCalls: number
  /** Bytes of stored answers; 0 = store none. */
  readonly cacheBytes: number
}

/** What API v3 takes from the rest of the program. */
export interface V3Parts<C> {
  readonly methods: readonly V3Method<C>[]
  /** The methods below /api/emulate/v1; left out, its paths lead nowhere. */
  readonly emulateMethods?: readonly V3Method<C>[]
  /** The index, once it can be read; undefined where there is none. */
  index(): IndexReader | undefined
  /** What the URIs of tokens led to; left out, or undefined, where none is fetched. */
  documents?(): DocumentOf | undefined
  /** Is told when a row of the index cannot be written as an answer. */
  damaged?(reason: string): void
}

/** Limits that hold for all processes that answer for one address. */
export interface SharedCounts {
  readonly limiter: RateLimiter
  readonly signIns: SignInLimits
}

/** A live network of our own. */
export interface DevNetwork {
  readonly control: DevControl
  /** Its global config: what a client of its liteserver starts from. */
  readonly globalConfig: string
}

/** All that the API takes from the rest of the program. `C` names the chain functions that the methods need. */
export interface ApiDeps<C> {
  readonly methods: readonly Method<C>[]
  readonly chain: C
  /** Left out, the paths of API v3 lead nowhere. */
  readonly v3?: V3Parts<C>
  /** The live network of our own that is served; left out, the paths below /dev lead nowhere. */
  readonly dev?: DevNetwork
  /** The host of the address that is listened on: a name under which /dev may be asked, beside those that nobody else can own. */
  readonly listenHost?: string
  /** How far the index was behind the chain over the last hour, for the dashboard of merchants. */
  indexLag?(): readonly LagSample[]
  /** Left out, the paths of the merchant API and of its dashboard lead nowhere. */
  readonly merchant?: MerchantParts
  /** What keys of a plan are answered from instead, where the plan has liteservers of its own. */
  readonly privateChains: ReadonlyMap<string, C>
  /** What /api/v2 speaks; /ton/api/v2 always speaks `toncenter`. */
  readonly dialect: Dialect
  /** The network's name; keys of other networks are refused. */
  readonly network: string
  readonly keys: KeyLookup
  readonly limits: ApiLimits
  readonly corsOrigins: AllowedOrigins
  readonly clock: Clock
  readonly logger: Logger
  readonly registry: Registry
  /** Where requests are counted; the app makes its own where it is left out. */
  readonly requestMetrics?: RequestMetrics
  /** What counts requests and attempts to sign in for several processes; the app counts its own where it is left out. */
  readonly counts?: SharedCounts
  /** Operators have a listener of their own: /status and /metrics lead nowhere here. */
  readonly operatorsApart?: boolean
  /** Log every request, not only those that failed on the server's side. */
  readonly logRequests: boolean
  readiness(): Readiness | Promise<Readiness>
  /** The program's state for operators; no address, key or path of the machine may stand in it. */
  status(): SystemStatus | Promise<SystemStatus>
  /** The metrics of several processes together; those of this one where it is left out. */
  metrics?(): Promise<string>
}
