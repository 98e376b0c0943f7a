import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../common/clock.ts'

/** Messages that the network has accepted lately, and those on their way to it. */
export interface SentMessages {
  /**
   * Delivers the message with this hash, unless it was accepted within the last minute; equal ones that come meanwhile
   * wait for the same delivery. A failed one is forgotten: the next is tried again.
   */
  once(hash: Buffer, deliver: () => Promise<void>): Promise<void>
}

const MAX_ACCEPTED = 65_536
/** As long as a liteserver refuses an equal message. Later the network may have lost it, and is told again. */
const ACCEPTED_MS = 60_000

export const createSentMessages = (clock: Clock = systemClock): SentMessages => {
  const accepted = new LRUCache<string, true>({
    max: MAX_ACCEPTED,
    ttl: ACCEPTED_MS,
    ttlResolution: 0,
    perf: { now: clock.monotonic },
  })
  const underWay = new Map<string, Promise<void>>()

  const start = async (key: string, deliver: () => Promise<void>): Promise<void> => {
    try {
      await deliver()
      accepted.set(key, true)
    } finally {
      underWay.delete(key)
    }
  }
  return {
    once: (hash, deliver) => {
      const key = hash.toString('latin1')
      if (accepted.has(key)) return Promise.resolve()
      return underWay.getOrInsertComputed(key, () => start(key, deliver))
    },
  }
}
