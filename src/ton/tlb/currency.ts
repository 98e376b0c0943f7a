import type { Cell } from '../cell.ts'
import { dictList, key32 } from '../dictionary.ts'
import { buildDict } from '../dictionary-writer.ts'
import type { Slice } from '../slice.ts'
import { parseCell } from './tag.ts'

/** TL-B CurrencyCollection: nano-units of TON and the dictionary of extra currencies (root cell, null when empty). */
export interface CurrencyCollection {
  grams: bigint
  other: Cell | null
}

/** An amount of one extra currency. */
export type ExtraCurrency = [id: number, amount: bigint]

/** TL-B CurrencyCollection. The extra currencies stay closed. */
export const loadCurrencyCollection = (slice: Slice): CurrencyCollection => ({
  grams: slice.coins(),
  other: slice.maybeRef(),
})

/** Steps over a TL-B CurrencyCollection. */
export const skipCurrencyCollection = (slice: Slice): void => {
  slice.coins()
  if (slice.bit()) slice.skipRefs()
}

/**
 * TL-B ExtraCurrencyCollection (HashmapE 32 (VarUInteger 32)), ascending by currency id (uint32). Throws `malformed`.
 */
export const extraCurrencies = (other: Cell | null): ExtraCurrency[] =>
  dictList(other, 32, (value, key) => [key.readUInt32BE(0), value.varUint(32)])

/** The root of TL-B ExtraCurrencyCollection over these amounts (ids as uint32), null for none: the cells that the node makes. */
export const extraCurrencyDict = (amounts: readonly ExtraCurrency[]): Cell | null =>
  buildDict(
    amounts.map(([id, amount]) => ({ key: key32(id), store: (builder) => builder.varUint(amount, 32) })),
    32,
  )

/** Configuration parameter 7: how much of each extra currency there should be. Throws `malformed`. */
export const parseToMint = (cell: Cell): ExtraCurrency[] =>
  extraCurrencies(parseCell(cell, (slice) => slice.maybeRef()))
