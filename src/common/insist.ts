import type { Clock } from './clock.ts'
import { isTonlithError, type TonlithError } from './errors.ts'

export interface InsistOptions {
  clock: Pick<Clock, 'sleep'>
  /** Ends the asking. */
  signal: AbortSignal
  /** Milliseconds before the second try; each pause is twice the one before, up to the longest. */
  firstPauseMs: number
  longestPauseMs: number
  /** Told of each failure and how many there were; false where nobody asks again. */
  failed?(error: TonlithError, tries: number): boolean
}

/**
 * Asks until there is an answer. Rejects with the last error when `signal` ends it, when `failed` says so, and with what is
 * no TonlithError: a mistake of ours.
 */
export const insist = async <T>(ask: () => Promise<T>, options: InsistOptions): Promise<T> => {
  const { clock, signal, firstPauseMs, longestPauseMs, failed = () => true } = options
  let pause = firstPauseMs
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || !isTonlithError(error) || !failed(error, tries)) throw error
      await clock.sleep(pause, signal)
      pause = Math.min(2 * pause, longestPauseMs)
    }
  }
}
