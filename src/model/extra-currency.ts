import type { Cell } from '../ton/cell.ts'
import { extraCurrencies } from '../ton/tlb/currency.ts'

/** One entry of TL-B ExtraCurrencyCollection; `id` as signed int32, `amount` in the currency's base units. */
export interface ExtraCurrency {
  id: number
  amount: bigint
}

/** Reads a dictionary of extra currencies (null when empty) in its own order: by the bits of the id. Throws `malformed`. */
export const readExtraCurrencies = (other: Cell | null): ExtraCurrency[] =>
  extraCurrencies(other).map(([id, amount]) => ({ id: id | 0, amount }))
