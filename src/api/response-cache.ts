import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.ts'

/** Answers that may be given again, and the calls under way that equal questions share. */
export interface ResponseCache {
  /** The stored answer, while it is valid. */
  get(key: string): string | undefined
  /**
   * Runs `make`, or joins the run for the same key that is under way. Its answer is stored for `seconds` (not at all for
   * 0); a failure is stored nowhere and reaches everyone who waits.
   */
  share(key: string, seconds: number, make: () => Promise<string>): Promise<string>
}

/** An answer beyond this share of the whole cache is not stored. */
const LARGEST_SHARE = 16

/** A cache of answer texts, least recently used out first, of at most `maxBytes` (0 = store nothing, share only). */
export const createResponseCache = (maxBytes: number, clock: Clock): ResponseCache => {
  const stored =
    maxBytes > 0
      ? new LRUCache<string, string>({
          maxSize: maxBytes,
          maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_SHARE)),
          sizeCalculation: (text, key) => 2 * (text.length + key.length) + 64,
          ttlResolution: 0,
          // Counted from 1: a start at 0 means to the package that the entry has no age.
          perf: { now: () => clock.monotonic() + 1 },
        })
      : undefined
  const underWay = new Map<string, Promise<string>>()
  return {
    get: (key) => stored?.get(key),
    share: (key, seconds, make) => {
      const joined = underWay.get(key)
      if (joined) return joined
      const run = make()
        .then((text) => {
          if (seconds > 0) stored?.set(key, text, { ttl: seconds * 1000 })
          return text
        })
        .finally(() => underWay.delete(key))
      underWay.set(key, run)
      return run
    },
  }
}
