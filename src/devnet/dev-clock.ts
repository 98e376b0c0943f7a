import { TonlithError } from '../common/errors.ts'

/** The clock that a network of our own makes its blocks by. Unix seconds; it never goes back. */
export interface DevClock {
  /** False where it stands still between blocks. */
  readonly real: boolean
  now(): number
  /** Tells that a masterchain block was made with `utime`: a clock of its own moves on by the length of a block. */
  made(utime: number): void
  /** Moves it on by seconds. Throws `invalid` when that is beyond what a block can say. */
  advance(seconds: number): void
  /** Moves it to a later time, or one that is now. Throws `invalid` for an earlier one. */
  set(unix: number): void
}

export interface DevClockOptions {
  /** Unix seconds of the newest block. */
  last: number
  /** Where a clock of its own starts; undefined: the clock follows the machine's. */
  start: number | undefined
  /** Milliseconds by which each block moves a clock of its own on. */
  blockMs: number
  /** The machine's Unix time in milliseconds. */
  unixMs(): number
}

/** Unix seconds are a uint32 in a block, but a signed one in what liteservers answer. */
const LATEST_TIME = 2 ** 31 - 1

const checked = (unix: number): number => {
  if (unix > LATEST_TIME) throw new TonlithError('invalid', `the clock cannot go beyond ${LATEST_TIME}`)
  return unix
}

/**
 * Makes the clock. One that follows the machine's is ahead of it by what it was advanced, and by what a chain from before
 * is ahead of it.
 */
export const createDevClock = ({ last, start, blockMs, unixMs }: DevClockOptions): DevClock => {
  let ownMs = Math.max(last, start ?? 0) * 1000
  let aheadMs = start === undefined ? Math.max(0, last * 1000 - unixMs()) : 0
  let latest = last
  const nowMs = (): number => (start === undefined ? unixMs() + aheadMs : ownMs)

  const now = (): number => {
    latest = Math.min(LATEST_TIME, Math.max(latest, Math.floor(nowMs() / 1000)))
    return latest
  }

  const moveOn = (seconds: number): void => {
    checked(now() + seconds)
    if (start === undefined) aheadMs += seconds * 1000
    else ownMs += seconds * 1000
  }

  return {
    real: start === undefined,
    now,
    made: (utime) => {
      latest = Math.max(latest, utime)
      ownMs += blockMs
    },
    advance: moveOn,
    set: (unix) => {
      const before = now()
      if (unix < before) throw new TonlithError('invalid', `the clock is at ${before} and cannot go back to ${unix}`)
      moveOn(unix - before)
    },
  }
}
