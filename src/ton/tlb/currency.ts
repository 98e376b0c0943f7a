import { TonlithError } from '../../common/errors.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { dictList, key32 } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
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

/** Writes TL-B CurrencyCollection. */
export const storeCurrencyCollection = (builder: Builder, { grams, other }: CurrencyCollection): Builder =>
  builder.coins(grams).maybeRef(other)

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

/** Nothing of any currency. */
export const NO_CURRENCY: CurrencyCollection = { grams: 0n, other: null }

const sumOf = (one: Cell | null, other: Cell | null, sign: 1n | -1n): Cell | null => {
  if (!other) return one
  const sums = new Map(extraCurrencies(one))
  for (const [id, amount] of extraCurrencies(other)) sums.set(id, (sums.get(id) ?? 0n) + sign * amount)
  return extraCurrencyDict(sign === 1n ? [...sums] : [...sums].filter(([, amount]) => amount !== 0n))
}

/** The sum of two amounts of TON and of every extra currency. Throws `malformed`, and `limit` on overflow. */
export const addCurrencies = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams + b.grams,
  other: a.other ? sumOf(a.other, b.other, 1n) : b.other,
})

/** What is left of `a` without `b`; a currency of which nothing is left goes. Throws `limit` where `b` is more than `a`. */
export const subtractCurrencies = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => {
  if (a.grams < b.grams) throw new TonlithError('limit', 'amount below zero')
  return { grams: a.grams - b.grams, other: sumOf(a.other, b.other, -1n) }
}

/** Augmentation of OutMsgDescr, ShardAccountBlocks and the transactions of an account: the sum of amounts. */
export const currencyAug: Augmentation<CurrencyCollection> = {
  load: loadCurrencyCollection,
  store: storeCurrencyCollection,
  combine: addCurrencies,
  empty: NO_CURRENCY,
}

/** Configuration parameter 7: how much of each extra currency there should be. Throws `malformed`. */
export const parseToMint = (cell: Cell): ExtraCurrency[] =>
  extraCurrencies(parseCell(cell, (slice) => slice.maybeRef()))
