import type { Cell } from '../../ton/cell.ts'
import { burnedFees, parseBurningConfig } from '../../ton/tlb/burning-config.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY, subtractCurrencies } from '../../ton/tlb/currency.ts'
import { parseMessageInfo } from '../../ton/tlb/message.ts'
import { parseTransaction } from '../../ton/tlb/transaction.ts'
import type { ValueFlow } from '../../ton/tlb/value-flow.ts'
import type { Draft } from './draft.ts'
import type { MasterchainIncome } from './masterchain-fees.ts'
import { checkBalance, sameAmount } from './value-flow.ts'

const BURNING = 5

/** What the messages of a transaction brought its account, nano-units. */
const broughtBy = (transaction: Cell): bigint => {
  const { in_msg } = parseTransaction(transaction)
  const info = in_msg && parseMessageInfo(in_msg)
  return info?._ === 'int_msg_info' ? info.value.grams : 0n
}

/** What this block's messages brought the account of the masterchain whose income is burned, nano-units. */
export const blackholeIncome = ({ accounts, master }: Draft): bigint => {
  const { blackhole_addr } = parseBurningConfig(configParam(master.params, BURNING))
  const account = blackhole_addr && accounts.known(blackhole_addr)
  return account ? account.transactions.reduce((sum, { cell }) => sum + broughtBy(cell), 0n) : 0n
}

/**
 * The value flow of a masterchain block. `config` is the root of the configuration before the block; amounts of single
 * numbers in nano-units. Throws `internal` unless it balances.
 */
export const masterchainValueFlow = (
  config: Cell,
  income: MasterchainIncome,
  parts: {
    before: CurrencyCollection
    after: CurrencyCollection
    imported: CurrencyCollection
    exported: CurrencyCollection
    /** Of transactions, and of the import of messages. */
    transaction_fees: CurrencyCollection
    import_fees: bigint
    /** What the blackhole account got. */
    blackhole: bigint
    /** Balances of accounts that were put in from outside. */
    put_in: CurrencyCollection
  },
): ValueFlow => {
  const fees = addCurrencies(parts.transaction_fees, { grams: parts.import_fees, other: null })
  const burnedNow = burnedFees(parseBurningConfig(configParam(config, BURNING)), fees)
  const burned = [income.burned, burnedNow, { grams: parts.blackhole, other: null }].reduce(addCurrencies)
  const burns = !sameAmount(burned, NO_CURRENCY)
  const flow: ValueFlow = {
    _: burns ? 'value_flow_v2' : 'value_flow',
    from_prev_blk: parts.before,
    to_next_blk: parts.after,
    imported: parts.imported,
    exported: parts.exported,
    fees_collected: addCurrencies(income.fees_collected, subtractCurrencies(fees, burnedNow)),
    burned: burns ? burned : null,
    fees_imported: income.fees_imported,
    recovered: income.recovered,
    created: income.created,
    minted: addCurrencies(income.minted, parts.put_in),
  }
  checkBalance(flow)
  return flow
}
