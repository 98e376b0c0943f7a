import type { Cell } from './cell.ts'
import { storageUsed } from './storage-used.ts'
import type { MsgForwardPrices } from './tlb/msg-forward-prices.ts'

const SCALE = 16n

/**
 * Nano-units for carrying a message (node: MsgPrices::compute_fwd_fees); for an external one the price of its import. Its
 * root cell is paid for by the lump.
 */
export const forwardFee = ({ lump_price, bit_price, cell_price }: MsgForwardPrices, message: Cell): bigint => {
  const { cells, bits } = storageUsed(Array.from({ length: message.refCount }, (_, i) => message.ref(i)))
  return lump_price + ((bits * bit_price + cells * cell_price + (1n << SCALE) - 1n) >> SCALE)
}
