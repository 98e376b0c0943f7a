import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { expectTag, parseCell } from './tag.ts'

/** TL-B BlockCreateFees: what a block brings its validators, nano-units; that of the basechain before it is split. */
export interface BlockCreateFees {
  masterchain_block_fee: bigint
  basechain_block_fee: bigint
}

const loadBlockCreateFees = (slice: Slice): BlockCreateFees => {
  expectTag(slice, 8, 0x6b, 'BlockCreateFees')
  return { masterchain_block_fee: slice.coins(), basechain_block_fee: slice.coins() }
}

/** Configuration parameter 14. Throws `malformed`. */
export const parseBlockCreateFees = (cell: Cell): BlockCreateFees => parseCell(cell, loadBlockCreateFees)
