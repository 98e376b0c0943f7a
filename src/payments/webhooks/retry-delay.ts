/** Delays between the attempts to deliver an event, in milliseconds: as many retries as there are delays. */
export type RetryDelays = readonly number[]

/** The schedule of spec.md, Delivery rules 2, which is kept to the millisecond. */
export const DEFAULT_RETRY_DELAYS: RetryDelays = [1_000, 5_000, 15_000]

/** What another schedule's delays are lengthened by, at most, so that receivers that failed together are not asked together. */
const MAX_JITTER = 0.1

const isDefault = (delays: RetryDelays): boolean =>
  delays.length === DEFAULT_RETRY_DELAYS.length && delays.every((ms, place) => ms === DEFAULT_RETRY_DELAYS[place])

/**
 * Milliseconds from the end of a failed attempt to the next one; undefined where there is none: then it is exhausted.
 * @param failures how many attempts of the schedule have failed, this one too: 1 or more
 * @param random from 0 to 1
 */
export const retryDelay = (delays: RetryDelays, failures: number, random: () => number): number | undefined => {
  const delay = delays[failures - 1]
  if (delay === undefined || isDefault(delays)) return delay
  return delay + Math.floor(delay * MAX_JITTER * random())
}

/** The longest that an attempt can be away, in milliseconds: one that is further was written by a clock that was ahead. */
export const longestDelay = (delays: RetryDelays): number => Math.ceil(Math.max(0, ...delays) * (1 + MAX_JITTER))
