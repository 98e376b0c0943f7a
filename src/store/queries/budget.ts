import { TonlithError } from '../../common/errors.ts'

/** Index rows that one query may look at: some 100 ms. */
const MOST_ROWS = 100_000

/**
 * What looking into the cells of a transaction costs, in rows. Measured on the recorded network: an index key 0.9 to 1.4
 * microseconds, a message with its cells 39 to 49, a block with its header 26 to 29.
 */
export const CELL_COST = 40

/** Bounds the work of one query. */
export interface Budget {
  /** Throws `limit` when the query has looked at too much. */
  spend(rows: number): void
}

export const createBudget = (rows = MOST_ROWS): Budget => {
  let left = rows
  return {
    spend: (cost) => {
      left -= cost
      if (left < 0)
        throw new TonlithError(
          'limit',
          'too many rows to look through: give a filter that selects more, or less offset',
        )
    },
  }
}
