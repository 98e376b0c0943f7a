import type { Cell } from '../cell.ts'
import { type CurrencyCollection, NO_CURRENCY } from './currency.ts'
import { expectTag, malformed, maybe, parseCell } from './tag.ts'

/** TL-B BurningConfig: the share of the fees that is burned, and a masterchain account whose income is. */
export interface BurningConfig {
  /** Account id, 32 bytes. */
  blackhole_addr: Buffer | null
  fee_burn_num: number
  fee_burn_denom: number
}

/** Configuration parameter 5; nothing is burned where it is missing. Throws `malformed`. */
export const parseBurningConfig = (cell: Cell | null): BurningConfig => {
  if (!cell) return { blackhole_addr: null, fee_burn_num: 0, fee_burn_denom: 1 }
  return parseCell(cell, (slice) => {
    expectTag(slice, 8, 1, 'BurningConfig')
    const config = {
      blackhole_addr: maybe(slice, () => slice.bytes(32)),
      fee_burn_num: slice.uint(32),
      fee_burn_denom: slice.uint(32),
    }
    if (config.fee_burn_denom < 1 || config.fee_burn_num > config.fee_burn_denom) throw malformed('BurningConfig')
    return config
  })
}

/** What is burned of these fees: a part of the TON, rounded down, and nothing of other currencies. */
export const burnedFees = (
  { fee_burn_num, fee_burn_denom }: BurningConfig,
  { grams }: CurrencyCollection,
): CurrencyCollection => ({ ...NO_CURRENCY, grams: (grams * BigInt(fee_burn_num)) / BigInt(fee_burn_denom) })
