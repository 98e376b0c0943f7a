import type { Cell } from '../cell.ts'
import { dictList } from '../dictionary.ts'
import { beginParse, type Slice } from '../slice.ts'
import { expectTag } from './tag.ts'

/** TL-B StoragePrices: nano-units per bit or cell and second, scaled by 2^16, in force since `utime_since`. */
export interface StoragePrices {
  utime_since: number
  bit_price_ps: bigint
  cell_price_ps: bigint
  mc_bit_price_ps: bigint
  mc_cell_price_ps: bigint
}

const loadStoragePrices = (slice: Slice): StoragePrices => {
  expectTag(slice, 8, 0xcc, 'StoragePrices')
  return {
    utime_since: slice.uint(32),
    bit_price_ps: slice.uintBig(64),
    cell_price_ps: slice.uintBig(64),
    mc_bit_price_ps: slice.uintBig(64),
    mc_cell_price_ps: slice.uintBig(64),
  }
}

/** Configuration parameter 18, in dictionary order. The root stands in line in the cell. Throws `malformed`. */
export const parseStoragePrices = (cell: Cell): StoragePrices[] => dictList(beginParse(cell), 32, loadStoragePrices)
