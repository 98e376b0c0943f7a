import type { Cell } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'

/** What parsed things take in memory, in bytes, as the caches reckon it: measured on this runtime and rounded up. */

/** A block id with its two hashes. */
export const BLOCK_ID_BYTES = 500
/** A block's header beside the ids of it. */
export const HEADER_BYTES = 500
const CELL_BYTES = 300
/** More than any configuration or library has. */
const MOST_CELLS = 1 << 20

/** The cells below a root, each counted once, with their data. */
export const cellTreeBytes = (root: Cell): number => countCells([root], MOST_CELLS) * CELL_BYTES
