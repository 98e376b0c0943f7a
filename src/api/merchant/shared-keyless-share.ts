import type { SharedTable } from '../../common/shared-table.ts'
import { createSharedWindows } from '../../common/shared-windows.ts'
import { type KeylessShare, MAX_OF_ADDRESS } from './keyless-share.ts'

const MS_PER_SECOND = 1_000

/**
 * What createKeylessShare counts, counted for all processes that have the table.
 * @param lifetime seconds until a transfer expires
 * @param now milliseconds that are the same in all of them, or nearly so
 */
export const createSharedKeylessShare = (table: SharedTable, lifetime: number, now: () => number): KeylessShare => {
  const made = createSharedWindows(table, lifetime * MS_PER_SECOND, now)
  return {
    wait: (caller) => Math.ceil(made.count(caller, 0, MAX_OF_ADDRESS) / MS_PER_SECOND),
    count: (caller) => void made.count(caller, 1, Number.POSITIVE_INFINITY),
  }
}
