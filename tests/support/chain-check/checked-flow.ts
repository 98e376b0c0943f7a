import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { parseBlockCreateFees } from '../../../src/ton/tlb/block-create-fees.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../../src/ton/tlb/currency.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { shardPrefixLength } from '../../../src/ton/tlb/shard-ident.ts'
import type { ReadBlock } from './checked-block.ts'
import type { BlockMessages } from './checked-messages.ts'
import type { ReadState } from './checked-state.ts'
import { amountText, type Need, sameAmount } from './fault.ts'

const sum = (...amounts: (CurrencyCollection | null)[]): CurrencyCollection =>
  amounts.reduce<CurrencyCollection>((total, amount) => (amount ? addCurrencies(total, amount) : total), NO_CURRENCY)

/**
 * The value flow balances, and each of its amounts is what the block and the states around it say. `putIn` is what accounts have that the
 * block puts in from outside: that is minted, in the block of a shard nothing else is.
 */
export const checkFlow = (
  { flow, id }: ReadBlock,
  before: CurrencyCollection,
  { totals }: ReadState,
  messages: BlockMessages,
  transactionFees: CurrencyCollection,
  putIn: CurrencyCollection,
  need: Need,
): void => {
  const { from_prev_blk, to_next_blk, imported, exported, fees_collected, burned } = flow
  const { fees_imported, recovered, created, minted } = flow
  const is = (name: string, stated: CurrencyCollection, found: CurrencyCollection): void =>
    need(sameAmount(stated, found), `value flow: ${name} is ${amountText(stated)}, not ${amountText(found)}`)
  is('from_prev_blk', from_prev_blk, before)
  is('to_next_blk', to_next_blk, totals.total_balance)
  is('imported', imported, messages.fees.value_imported)
  is('exported', exported, messages.exported)
  const coming = sum(from_prev_blk, imported, fees_imported, created, minted, recovered)
  is('what goes', sum(to_next_blk, exported, fees_collected, burned), coming)
  const fees = sum(transactionFees, { grams: messages.fees.fees_collected, other: null }, fees_imported, created)
  is('fees_collected and burned', sum(fees_collected, burned), fees)
  if (id.workchain === MASTERCHAIN) {
    need(minted.grams >= putIn.grams, 'value flow: accounts that were put in are not minted')
    return
  }
  is('minted', minted, putIn)
  for (const amount of [fees_imported, recovered])
    need(sameAmount(amount, NO_CURRENCY), 'value flow: a shard has what only the masterchain can have')
}

/** What is created for a block is what configuration parameter 14 grants; of a shard its part of the workchain's. */
export const checkCreated = ({ flow, id }: ReadBlock, master: ReadState, need: Need): void => {
  const param = configParam(parseMcStateExtra(master.state.custom!).config.config, 14)
  const fees = param && parseBlockCreateFees(param)
  const granted = !fees
    ? 0n
    : id.workchain === MASTERCHAIN
      ? fees.masterchain_block_fee
      : fees.basechain_block_fee >> BigInt(shardPrefixLength(id.shard))
  need(sameAmount(flow.created, { grams: granted, other: null }), `value flow: created is not ${granted}`)
}
