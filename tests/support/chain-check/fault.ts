import { type BlockIdExt, blockIdText } from '../../../src/ton/block-id.ts'
import { type CurrencyCollection, extraCurrencies } from '../../../src/ton/tlb/currency.ts'

/** What is wrong with a block. */
export class ChainFault extends Error {}

/** Throws ChainFault unless it holds. */
export type Need = (holds: boolean, what: string) => void

/** Asserts about one block. */
export const needOf =
  (id: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): Need =>
  (holds, what) => {
    if (!holds) throw new ChainFault(`block ${blockIdText(id)}: ${what}`)
  }

/** An amount as text; currencies of which there is nothing are left out. */
export const amountText = ({ grams, other }: CurrencyCollection): string =>
  [grams, ...extraCurrencies(other).filter(([, amount]) => amount !== 0n)].join(' ')

export const sameAmount = (a: CurrencyCollection, b: CurrencyCollection): boolean => amountText(a) === amountText(b)
