import { TonlithError } from '../../common/errors.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY, subtractCurrencies } from '../../ton/tlb/currency.ts'
import type { ValueFlow } from '../../ton/tlb/value-flow.ts'

const sum = (...amounts: readonly CurrencyCollection[]): CurrencyCollection =>
  amounts.reduce(addCurrencies, NO_CURRENCY)

/** True for equal amounts of all currencies. */
export const sameAmount = (a: CurrencyCollection, b: CurrencyCollection): boolean =>
  a.grams === b.grams && (a.other && b.other ? a.other.hash().equals(b.other.hash()) : a.other === b.other)

/** Throws `internal` unless all that comes into a block leaves it. */
export const checkBalance = (flow: ValueFlow): void => {
  const { from_prev_blk, imported, fees_imported, created, minted, recovered } = flow
  const { to_next_blk, exported, fees_collected, burned } = flow
  const came = sum(from_prev_blk, imported, fees_imported, created, minted, recovered)
  const went = sum(to_next_blk, exported, fees_collected, burned ?? NO_CURRENCY)
  if (!sameAmount(came, went)) throw new TonlithError('internal', 'the values that a block moves do not balance')
}

/** What validators have earned and not been paid, behind a block. */
export const validatorFees = (before: CurrencyCollection, flow: ValueFlow): CurrencyCollection =>
  subtractCurrencies(addCurrencies(before, flow.fees_collected), flow.recovered)

/** The value flow of a block of a basechain shard. */
export const shardValueFlow = (parts: {
  before: CurrencyCollection
  after: CurrencyCollection
  imported: CurrencyCollection
  exported: CurrencyCollection
  created: bigint
  /** Of transactions, and of the import of messages. */
  transaction_fees: CurrencyCollection
  import_fees: bigint
  /** Balances of accounts that were put in from outside. */
  minted: CurrencyCollection
}): ValueFlow => {
  const created = { grams: parts.created, other: null }
  const flow: ValueFlow = {
    _: 'value_flow',
    from_prev_blk: parts.before,
    to_next_blk: parts.after,
    imported: parts.imported,
    exported: parts.exported,
    fees_collected: sum(parts.transaction_fees, { grams: parts.import_fees, other: null }, created),
    burned: null,
    fees_imported: NO_CURRENCY,
    recovered: NO_CURRENCY,
    created,
    minted: parts.minted,
  }
  checkBalance(flow)
  return flow
}
