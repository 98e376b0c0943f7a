import type { StorageUsed } from './tlb/storage-info.ts'
import type { StoragePrices } from './tlb/storage-prices.ts'

/** What an account keeps, and for how long it has to be paid; unix seconds. */
export interface StorageDebt {
  used: StorageUsed
  last_paid: number
  now: number
  masterchain: boolean
}

const SCALE = 16n

/**
 * Nano-units that storing costs from `last_paid` to `now`, rounded up once, at the prices of configuration parameter 18
 * that were in force meanwhile, in their order (node: StoragePrices::compute_storage_fees). 0 for an account that never
 * pays: its `last_paid` is 0.
 */
export const storageFee = (
  prices: readonly StoragePrices[],
  { used, last_paid, now, masterchain }: StorageDebt,
): bigint => {
  if (last_paid === 0) return 0n
  let scaled = 0n
  for (const [i, price] of prices.entries()) {
    const from = Math.max(last_paid, price.utime_since)
    const to = Math.min(now, prices[i + 1]?.utime_since ?? now)
    if (to <= from) continue
    const [bit, cell] = masterchain
      ? [price.mc_bit_price_ps, price.mc_cell_price_ps]
      : [price.bit_price_ps, price.cell_price_ps]
    scaled += BigInt(to - from) * (used.bits * bit + used.cells * cell)
  }
  return (scaled + (1n << SCALE) - 1n) >> SCALE
}
