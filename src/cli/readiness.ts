import type { Readiness } from '../api/system/routes.ts'

/** The parts that requests need, each telling its own state; undefined where there is no such part. */
export interface ReadyParts {
  /** Why a network of our own makes no blocks. */
  halted: string | undefined
  pool: Readiness
  index: Readiness | undefined
}

/** Whether requests can be answered for the chain of now, with the reason of the first part that keeps them from it. */
export const readinessOf = ({ halted, pool, index }: ReadyParts): Readiness => {
  if (halted !== undefined) return { ready: false, reason: `the network stands still: ${halted}` }
  return pool.ready && index ? index : pool
}
