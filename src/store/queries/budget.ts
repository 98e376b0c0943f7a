import { TonlithError } from '../../common/errors.ts'

/** Index rows that one query may look at: some 120 ms, in turns. It is enough for 1000 messages with both sides. */
const MOST_ROWS = 120_000

/**
 * What looking into the cells of a transaction costs, in rows. Measured on the recorded network: an index key 0.9 to 1.4
 * microseconds, a message with its cells 39 to 49, a block with its header 26 to 29.
 */
export const CELL_COST = 40

/** What finding a row by its hash costs, in rows. */
export const SEEK_COST = 4

/** Index rows that may be looked at in one turn of the event loop: some 5 ms, 20 where they are cold. */
export const TURN_ROWS = 5_000

/** Bounds the work of one query. */
export interface Budget {
  /** Throws `limit` when the query has looked at too much. */
  spend(rows: number): void
  /** True when so much was looked at that others should have their turn; the next one is counted from here. */
  isTurnOver(): boolean
  /** Gives the query all it may look at again: for the next page. */
  renew(): void
}

export const createBudget = (rows = MOST_ROWS): Budget => {
  let left = rows
  let turn = 0
  return {
    isTurnOver: () => {
      if (turn < TURN_ROWS) return false
      turn = 0
      return true
    },
    renew: () => {
      left = rows
      turn = 0
    },
    spend: (cost) => {
      left -= cost
      turn += cost
      if (left < 0)
        throw new TonlithError(
          'limit',
          'too many rows to look through: give a filter that selects more, or page by cursor instead of offset',
        )
    },
  }
}
