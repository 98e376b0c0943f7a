import type { Clock } from '../common/clock.ts'

export interface WatchdogOptions {
  /** Something that changes with each step forward. */
  mark(): string
  /** True when there is nothing to do: then standing still is right. */
  idle(): boolean
  /** Milliseconds without a step before the first cure; each further one waits twice as long, up to MAX_FACTOR times. */
  stallMs: number
  cure(stalledMs: number): void
  clock: Clock
  signal: AbortSignal
}

const MAX_FACTOR = 16
const LOOKS = 4

/** Calls `cure` when nothing moves although there is work. Resolves when `signal` ends it. */
export const runWatchdog = async ({ mark, idle, stallMs, cure, clock, signal }: WatchdogOptions): Promise<void> => {
  let last = mark()
  let since = clock.monotonic()
  let factor = 1
  while (!signal.aborted) {
    await clock.sleep(stallMs / LOOKS, signal)
    const now = clock.monotonic()
    const current = mark()
    if (current !== last || idle()) {
      last = current
      since = now
      factor = 1
    } else if (now - since >= stallMs * factor && !signal.aborted) {
      cure(now - since)
      since = now
      factor = Math.min(2 * factor, MAX_FACTOR)
    }
  }
}
