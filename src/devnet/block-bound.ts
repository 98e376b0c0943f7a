/** How many transactions a block may have, beside the limits of the configuration: more wait for the next one. */
export interface BlockBound {
  transactions(): number
  /** Is told what the fullest block of a step had, and the milliseconds that the step took. */
  made(transactions: number, ms: number): void
}

const LEAST = 50
const FIRST = 300
const MOST = 2_000
/** Blocks are not made smaller than what fits into this time: each has a cost of its own. */
const SHORTEST_MS = 300
const GROWTH = 1.25

/** The same for every block: what a block has does not depend on the machine. */
export const fixedBound = (): BlockBound => ({ transactions: () => FIRST, made: () => {} })

/** As much as can be made in the time between two blocks (milliseconds), so that these keep their pace under load. */
export const timedBound = (intervalMs: number): BlockBound => {
  const target = Math.max(intervalMs, SHORTEST_MS)
  let bound = FIRST
  const keep = (wanted: number): void => {
    bound = Math.round(Math.min(MOST, Math.max(LEAST, wanted)))
  }
  return {
    transactions: () => bound,
    made: (transactions, ms) => {
      if (ms <= target && transactions >= bound) keep(bound * GROWTH)
      if (ms > target && transactions > LEAST) keep(Math.min(bound, transactions) * Math.max(0.5, target / ms))
    },
  }
}
