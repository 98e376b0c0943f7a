import { LRUCache } from 'lru-cache'
import type { Clock } from '../../common/clock.ts'

/**
 * Takes `calls` (one unless given) of `who` from a budget of `rps` per second, all of them or none, but for those that were
 * `taken` from it before; gives the seconds after which all of them can be had anew when too few are left, Infinity when
 * there can never be so many.
 */
export type RateLimiter = (who: string, rps: number, calls?: number, taken?: number) => number

interface Bucket {
  tokens: number
  /** Monotonic milliseconds of the last refill. */
  at: number
}

/** Callers that are remembered; beyond this the one not seen for longest starts anew. */
const MAX_CALLERS = 50_000

/**
 * A token bucket for each caller: it fills with `rps` tokens a second up to one second's worth, at least one. 0 rps means
 * no limit. Gives 0 when the request may pass.
 */
export const createRateLimiter = (clock: Clock, maxCallers = MAX_CALLERS): RateLimiter => {
  const buckets = new LRUCache<string, Bucket>({ max: maxCallers })
  return (who, rps, calls = 1, taken = 0) => {
    if (rps <= 0) return 0
    const now = clock.monotonic()
    const capacity = Math.max(1, rps)
    const bucket = buckets.get(who) ?? { tokens: capacity, at: now }
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * rps)
    bucket.at = now
    buckets.set(who, bucket)
    if (calls > capacity) return Number.POSITIVE_INFINITY
    if (bucket.tokens < calls - taken) return (calls - bucket.tokens) / rps
    bucket.tokens -= calls - taken
    return 0
  }
}
