import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { expectTag, parseCell } from './tag.ts'

/**
 * TL-B MsgForwardPrices (configuration parameters 24 and 25). A message costs lump_price + ceil((bit_price * bits +
 * cell_price * cells) / 2^16) nano-units, the bits of its root cell left out; fractions are scaled by 2^16.
 */
export interface MsgForwardPrices {
  lump_price: bigint
  bit_price: bigint
  cell_price: bigint
  ihr_price_factor: number
  first_frac: number
  next_frac: number
}

const loadMsgForwardPrices = (slice: Slice): MsgForwardPrices => {
  expectTag(slice, 8, 0xea, 'MsgForwardPrices')
  return {
    lump_price: slice.uintBig(64),
    bit_price: slice.uintBig(64),
    cell_price: slice.uintBig(64),
    ihr_price_factor: slice.uint(32),
    first_frac: slice.uint(16),
    next_frac: slice.uint(16),
  }
}

/** Configuration parameters 24 (masterchain) and 25. Throws `malformed`. */
export const parseMsgForwardPrices = (cell: Cell): MsgForwardPrices => parseCell(cell, loadMsgForwardPrices)
