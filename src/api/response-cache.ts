import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.ts'
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
  share(key: string, seconds: number, make: SharedWork, patience: Patience): Promise<string>
}

/** Work for all who wait for it; aborted when the last of them has gone. */
export type SharedWork = (signal: AbortSignal) => Promise<string>

interface Run {
  readonly text: Promise<string>
  readonly end: AbortController
  waiting: number
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
  const underWay = new Map<string, Run>()
  const forget = (key: string, run: Run): void => {
    if (underWay.get(key) === run) underWay.delete(key)
  }
  const start = (key: string, seconds: number, make: SharedWork): Run => {
    const end = new AbortController()
    const text = make(end.signal)
      .then((text) => {
        if (seconds > 0) stored?.set(key, text, { ttl: seconds * 1000 })
        return text
      })
      .finally(() => forget(key, run))
    const run: Run = { text, end, waiting: 0 }
    underWay.set(key, run)
    return run
  }
  return {
    get: (key) => stored?.get(key),
    share: (key, seconds, make, patience) => {
      const run = underWay.get(key) ?? start(key, seconds, make)
      run.waiting++
      return within(patience, run.text, () => {
        if (--run.waiting > 0) return
        forget(key, run)
        run.end.abort()
      })
    },
  }
}
