import type { Cell } from '../cell.ts'
import { dictLookup } from '../dictionary.ts'
import { beginParse } from '../slice.ts'

/**
 * True when configuration parameter 31 (HashmapE 256 True) names this account of the masterchain: such a one pays neither
 * for storage nor for gas. Throws `malformed`.
 */
export const isFundamentalSmcAddr = (cell: Cell, account: Buffer): boolean =>
  dictLookup(beginParse(cell).maybeRef(), 256, account) !== null
