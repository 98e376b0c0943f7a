import type { Retention } from '../model/retention.ts'

/** What retention needs to know of the store, and to have done there. */
export interface Prunable {
  /** The oldest masterchain block that is stored, be it for the history of an account only. */
  oldest(): number | undefined
  /** The newest indexed masterchain block. */
  newest(): number | undefined
  /** Unix seconds of a stored masterchain block. */
  utimeOf(seqno: number): number | undefined
  /** Bytes that hold data, without the free ones inside the file. */
  usedBytes(): number
  /** Removes the oldest masterchain block with all that came with it. */
  pruneOldest(): void
}

/** Decides what goes. */
export interface Keeping {
  /** Removes the oldest block when it is no longer to be kept; false when all that is stored is. */
  step(): boolean
  /** Nothing below this masterchain seqno is to be fetched again. */
  floor(): number
  /** True for a block of this time (unix seconds) that would be removed again at once. */
  tooOld(utime: number): boolean
}

/**
 * A store within its bounds takes blocks that are older than all of its own up to this part of its size only, so that it
 * does not fill and prune by turns.
 */
const FULL = 0.95

/** Ages are counted from the time of the newest indexed block: the clock of this machine may be wrong, and what it removes is gone. */
export const createRetention = (retention: Retention, store: Prunable): Keeping => {
  let floor = 0

  const isTooOld = (utime: number): boolean => {
    if (retention === 'forever' || !('seconds' in retention)) return false
    const newest = store.newest()
    const now = newest === undefined ? undefined : store.utimeOf(newest)
    return now !== undefined && utime < now - retention.seconds
  }

  const isLarger = (share: number): boolean =>
    retention !== 'forever' && 'bytes' in retention && store.usedBytes() > retention.bytes * share

  /** True for what would be the first to go. */
  const isOldest = (utime: number): boolean => {
    const oldest = store.oldest()
    const known = oldest === undefined ? undefined : store.utimeOf(oldest)
    return known === undefined || utime < known
  }

  return {
    step: () => {
      if (retention === 'forever') return false
      const [oldest, newest] = [store.oldest(), store.newest()]
      if (oldest === undefined || newest === undefined || oldest >= newest) return false
      if (!isTooOld(store.utimeOf(oldest) ?? Number.POSITIVE_INFINITY) && !isLarger(1)) return false
      floor = Math.max(floor, oldest + 1)
      store.pruneOldest()
      return true
    },
    floor: () => floor,
    tooOld: (utime) => isTooOld(utime) || (isLarger(FULL) && isOldest(utime)),
  }
}
