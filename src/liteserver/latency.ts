import type { Clock } from '../common/clock.ts'

const WINDOW = 128
const SMOOTHING = 0.2
const REFRESH = 8

/** What is known about how long answers take, in milliseconds. */
export interface Latency {
  add(ms: number): void
  readonly count: number
  /** When the last sample came, on the clock's monotonic scale. */
  readonly lastAt: number
  /** Moving average; undefined before the first sample. */
  readonly mean: number | undefined
  /** 95th percentile of the last 128 samples; undefined before the first one. */
  readonly p95: number | undefined
}

export const createLatency = (clock: Clock): Latency => {
  const samples: number[] = []
  let count = 0
  let mean: number | undefined
  let p95: number | undefined
  let stale = 0
  let lastAt = 0

  return {
    add: (ms) => {
      samples[count % WINDOW] = ms
      count++
      mean = mean === undefined ? ms : mean + SMOOTHING * (ms - mean)
      stale--
      lastAt = clock.monotonic()
    },
    get count() {
      return count
    },
    get lastAt() {
      return lastAt
    },
    get mean() {
      return mean
    },
    get p95() {
      if (stale <= 0 && samples.length > 0) {
        const sorted = samples.toSorted((a, b) => a - b)
        p95 = sorted[Math.floor((sorted.length - 1) * 0.95)]
        stale = Math.min(REFRESH, samples.length)
      }
      return p95
    },
  }
}
