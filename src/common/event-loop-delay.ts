import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late the event loop came to its timers within some time, in seconds. */
export type EventLoopDelay = { median: number; p99: number; max: number }

/** Watches the event loop of this thread. */
export type EventLoopWatch = {
  /** The delays since the last call, or since the start; all 0 when nothing was seen. */
  take(): EventLoopDelay
  stop(): void
}

/** A timer of so many milliseconds sees what blocks the loop for longer, and costs 50 short turns a second. */
const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Starts to watch; it keeps no process from ending. */
export const watchEventLoop = (): EventLoopWatch => {
  const seen = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  seen.enable()
  return {
    take: () => {
      const at = (percentile: number): number => (seen.count === 0 ? 0 : seen.percentile(percentile) / NANOSECONDS)
      const taken = { median: at(50), p99: at(99), max: at(100) }
      seen.reset()
      return taken
    },
    stop: () => void seen.disable(),
  }
}
