export interface BackoffOptions {
  baseMs: number
  maxMs: number
  /** A number from 0 up to 1. */
  random: () => number
}

/** Milliseconds before try number `attempt` (from 0): doubling from `baseMs` to `maxMs`, at random between half and all. */
export const backoffMs = (attempt: number, { baseMs, maxMs, random }: BackoffOptions): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30)) * (0.5 + random() / 2)
