import type { Clock } from '../common/clock.ts'
import type { LiteServerMethod } from '../ton/tl/schema.ts'
import { createLatency, type Latency } from './latency.ts'

export interface HedgeOptions {
  /** Milliseconds before the second try as long as too little was observed. */
  initialMs: number
  minMs: number
  maxMs: number
  /** Fewer samples than this are too little. */
  minSamples: number
}

export const HEDGE_DEFAULTS: HedgeOptions = { initialMs: 500, minMs: 25, maxMs: 2_000, minSamples: 20 }

/** How long an answer to each method usually takes, over all servers. */
export interface Hedge {
  observe(method: LiteServerMethod, ms: number): void
  /** After this many milliseconds a second server is asked: the 95th percentile of what was observed. */
  delayMs(method: LiteServerMethod): number
}

export const createHedge = (clock: Clock, options: HedgeOptions = HEDGE_DEFAULTS): Hedge => {
  const byMethod = new Map<LiteServerMethod, Latency>()
  return {
    observe: (method, ms) => {
      const latency = byMethod.get(method) ?? createLatency(clock)
      byMethod.set(method, latency)
      latency.add(ms)
    },
    delayMs: (method) => {
      const latency = byMethod.get(method)
      if (!latency || latency.count < options.minSamples) return options.initialMs
      return Math.min(options.maxMs, Math.max(options.minMs, latency.p95 ?? options.initialMs))
    },
  }
}
