import type { Clock } from '../common/clock.ts'

export type Outcome = 'success' | 'failure' | 'unknown'
export type BreakerState = 'closed' | 'open' | 'half-open'

export interface BreakerOptions {
  /** Failures in a row that open it. */
  threshold: number
  /** Milliseconds that it stays open the first time; doubles with each trial that fails. */
  baseMs: number
  maxMs: number
}

/**
 * Keeps questions away from a server that does not answer them. Closed: all pass. Open: none. After a while half-open:
 * one passes, and its outcome closes or opens it again.
 */
export interface Breaker {
  readonly state: BreakerState
  /** True when a question may pass now. */
  readonly allows: boolean
  /** Lets one question pass and gives the function to be told its outcome; undefined when none may. */
  enter(): ((outcome: Outcome) => void) | undefined
  /** A failure outside of a question: a connection that broke. */
  fail(): void
  /** Opens it at once, for at least `ms` milliseconds: the server lies. */
  trip(ms: number): void
  /** The server is back and answers: half-open at once, unless it was tripped. */
  revive(): void
  /** Nobody else is left to ask: half-open, even when it was tripped, once it has been open for a moment. */
  pardon(): void
}

/** What answers wrongly is not asked again before so many milliseconds have passed, even when it is the only one. */
const PARDON_MS = 1_000

export const BREAKER_DEFAULTS: BreakerOptions = { threshold: 5, baseMs: 1_000, maxMs: 60_000 }

export const createBreaker = (clock: Clock, options: BreakerOptions = BREAKER_DEFAULTS): Breaker => {
  let failures = 0
  let opened = 0
  let openUntil: number | undefined
  let openedAt = Number.NEGATIVE_INFINITY
  let trippedUntil = Number.NEGATIVE_INFINITY
  let trial = false

  const state = (): BreakerState => {
    if (openUntil === undefined) return 'closed'
    return clock.monotonic() < openUntil ? 'open' : 'half-open'
  }
  const open = (atLeastMs: number): void => {
    const ms = Math.min(options.maxMs, options.baseMs * 2 ** Math.min(opened, 30))
    opened++
    openedAt = clock.monotonic()
    openUntil = openedAt + Math.max(ms, atLeastMs)
  }
  const fail = (): void => {
    failures++
    const now = state()
    if (now === 'half-open' || (now === 'closed' && failures >= options.threshold)) open(0)
  }
  const allows = (): boolean => {
    const now = state()
    return now === 'closed' || (now === 'half-open' && !trial)
  }

  return {
    get state() {
      return state()
    },
    get allows() {
      return allows()
    },
    enter: () => {
      if (!allows()) return undefined
      const isTrial = state() === 'half-open'
      if (isTrial) trial = true
      return (outcome) => {
        if (isTrial) trial = false
        if (outcome === 'failure') fail()
        if (outcome !== 'success' || (state() !== 'closed' && !isTrial)) return
        failures = 0
        opened = 0
        openUntil = undefined
      }
    },
    fail,
    trip: (ms) => {
      failures = options.threshold
      open(ms)
      trippedUntil = clock.monotonic() + ms
    },
    revive: () => {
      const now = clock.monotonic()
      if (openUntil !== undefined && now >= trippedUntil) openUntil = Math.min(openUntil, now)
    },
    pardon: () => {
      const now = clock.monotonic()
      if (openUntil !== undefined && now - openedAt >= PARDON_MS) openUntil = Math.min(openUntil, now)
    },
  }
}
