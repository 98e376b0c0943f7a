import type { Cell } from './cell.ts'
import type { MsgForwardPrices } from './tlb/msg-forward-prices.ts'
import type { StorageUsed } from './tlb/storage-info.ts'

/** The different cells below a message's root, which is paid for by the lump. */
const sizeBelow = (message: Cell): StorageUsed => {
  const seen = new Set<string>()
  const stack: Cell[] = []
  const push = (cell: Cell): void => {
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  push(message)
  let bits = 0n
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    const key = cell.hash().toString('latin1')
    if (seen.has(key)) continue
    seen.add(key)
    bits += BigInt(cell.bits)
    push(cell)
  }
  return { cells: BigInt(seen.size), bits }
}

const SCALE = 16n

/** Nano-units for carrying a message (node: MsgPrices::compute_fwd_fees); for an external one the price of its import. */
export const forwardFee = ({ lump_price, bit_price, cell_price }: MsgForwardPrices, message: Cell): bigint => {
  const { cells, bits } = sizeBelow(message)
  return lump_price + ((bits * bit_price + cells * cell_price + (1n << SCALE) - 1n) >> SCALE)
}
