import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.ts'
import { createSharedRuns, type SharedWork } from '../common/shared-runs.ts'
import { type Patience, within } from './middleware/timeout.ts'

/** Answers that may be given again, and the calls under way that equal questions share. */
export interface ResponseCache {
  /** The stored answer, while it is valid. */
  get(key: string): string | undefined
  /**
   * Runs `make`, or joins the run for the same key that is under way. Its answer is stored for `seconds` (not at all for
   * 0); a failure is stored nowhere and reaches everyone who waits. A run that nobody waits for any more is aborted, and
   * joined by nobody. Throws `timeout` and `connection` when the caller's own patience is over.
   */
  share(key: string, seconds: number, make: SharedWork<string>, patience: Patience): Promise<string>
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
  const runs = createSharedRuns<string>()
  return {
    get: (key) => stored?.get(key),
    share: (key, seconds, make, patience) => {
      const { result, leave } = runs.join(key, async (signal) => {
        const text = await make(signal)
        if (seconds > 0) stored?.set(key, text, { ttl: seconds * 1000 })
        return text
      })
      return within(patience, result, leave)
    },
  }
}
