import type { Exchange } from '../exchange.ts'
import type { ReplyHeaders } from '../reply.ts'
import { checkKey, type KeyLookup, sentKey } from './api-key.ts'
import { callerOf } from './client-address.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Why a request may not pass. */
export interface Refusal {
  readonly status: 401 | 403 | 429
  readonly error: string
  /** Whole seconds after which a further try can pass. */
  readonly retryAfter?: number
}

/** Headers of a refusal, beside those of every answer. */
export const refusalHeaders = ({ retryAfter }: Refusal): ReplyHeaders | undefined =>
  retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }

export interface AdmissionRules {
  /** Keyless requests of each API are counted apart. */
  readonly api: 'v2' | 'v3'
  readonly lookup: KeyLookup
  /** Keys made for another network are refused. */
  readonly network: string
  /** Requests per second of an address without a key, as it is now; 0 = no limit. */
  keylessRps(): number
  /** The client's IP address. */
  addressOf(request: Request): string
}

/** Decides whether a request may pass that counts as so many calls, one unless given; `taken` of them are counted already. */
export type Admission = (exchange: Exchange, calls?: number, taken?: number) => Refusal | undefined

/**
 * The key check and the rate limit of spec.md: a request with a key is counted for the
 * key's owner, whatever key of the same plan it has, one without for its address.
 */
export const createAdmission =
  (rules: AdmissionRules, limiter: RateLimiter): Admission =>
  (exchange, calls = 1, taken = 0) => {
    const { api, lookup, network, addressOf } = rules
    const secret = sentKey(exchange)
    let wait = 0
    if (secret === undefined) {
      const rps = rules.keylessRps()
      if (rps > 0) wait = limiter(`${api} ${callerOf(addressOf(exchange.request))}`, rps, calls, taken)
    } else {
      const checked = checkKey(secret, lookup, network)
      if ('error' in checked) return checked
      exchange.keyName = checked.key.name
      exchange.plan = checked.key.plan
      wait = limiter(`plan ${checked.key.plan} of ${checked.key.owner}`, checked.key.rps, calls, taken)
    }
    if (wait === 0) return undefined
    const refusal = { status: 429, error: 'Ratelimit exceeded' } as const
    return Number.isFinite(wait) ? { ...refusal, retryAfter: Math.ceil(wait) } : refusal
  }
