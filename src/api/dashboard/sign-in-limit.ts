import { LRUCache } from 'lru-cache'
import type { Clock } from '../../common/clock.ts'
import { callerOf } from '../middleware/client-address.ts'
import { createRateLimiter, type RateLimiter } from '../middleware/rate-limit.ts'

/** Attempts of one address with what is no key before it has to wait. */
export const MAX_ATTEMPTS = 10
/** How long these are remembered: milliseconds. */
export const REMEMBERED_MS = 15 * 60_000
/** The same of all addresses together, a second. */
export const ALL_PER_SECOND = 20

const MAX_ADDRESSES = 50_000

/** Bounds how often somebody may try to sign in with what is no key. */
export interface SignInLimit {
  /** Counts an attempt; gives the seconds to wait before the next one where there were too many, else 0. */
  begin(address: string): number
  /** The attempt was a good one: the address starts anew. */
  succeeded(address: string): void
}

/** What bounds signing in. */
export interface SignInLimits {
  /** Attempts with what is no key. */
  readonly wrong: SignInLimit
  /** Attempts with a key, by merchant: each of them is written. */
  readonly right: RateLimiter
}

/** Makes the limit: MAX_ATTEMPTS of an address in REMEMBERED_MS, and ALL_PER_SECOND of all. */
export const createSignInLimit = (clock: Clock): SignInLimit => {
  const attempts = new LRUCache<string, { count: number; until: number }>({ max: MAX_ADDRESSES })
  const all = createRateLimiter(clock, 1)
  return {
    begin: (address) => {
      const now = clock.monotonic()
      const caller = callerOf(address)
      const known = attempts.get(caller)
      const mine = known && now < known.until ? known : { count: 0, until: now + REMEMBERED_MS }
      if (mine.count >= MAX_ATTEMPTS) return Math.ceil((mine.until - now) / 1000)
      const wait = all('all', ALL_PER_SECOND)
      if (wait > 0) return Math.ceil(wait)
      attempts.set(caller, { ...mine, count: mine.count + 1 })
      return 0
    },
    succeeded: (address) => void attempts.delete(callerOf(address)),
  }
}
