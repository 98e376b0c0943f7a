import type { StopSignal } from './stop.ts'

/** The passing of time, handed in wherever something waits or measures, so that a test can own it. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number
  /** Milliseconds from an unknown start that never go backwards: for durations and deadlines. */
  monotonic(): number
  /** Resolves after `ms` milliseconds, or at once when `signal` is or gets aborted; never rejects. */
  sleep(ms: number, signal?: StopSignal): Promise<void>
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
    }),
}
