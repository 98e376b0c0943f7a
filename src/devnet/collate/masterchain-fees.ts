import type { Cell } from '../../ton/cell.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { burnedFees, parseBurningConfig } from '../../ton/tlb/burning-config.ts'
import { configAddresses } from '../../ton/tlb/config-addresses.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import {
  addCurrencies,
  type CurrencyCollection,
  extraCurrencies,
  extraCurrencyDict,
  NO_CURRENCY,
  parseToMint,
  subtractCurrencies,
} from '../../ton/tlb/currency.ts'
import { buildShardFees, type ShardFeeCreated, type ShardFees } from '../../ton/tlb/mc-block-extra.ts'
import type { MasterConfig } from './master-config.ts'

/** What a masterchain block brings into its value flow before any transaction of its own. */
export interface MasterchainIncome {
  /** HashmapAugE 96 ShardFeeCreated ShardFeeCreated */
  shard_fees: AugDict<ShardFeeCreated>
  fees_imported: CurrencyCollection
  /** The part of the imported fees that was created for shard blocks. */
  import_created: CurrencyCollection
  burned: CurrencyCollection
  fees_collected: CurrencyCollection
  created: CurrencyCollection
  recovered: CurrencyCollection
  minted: CurrencyCollection
  /** Account ids that `recovered` and `minted` go to; null where nothing goes. */
  fee_collector: Buffer | null
  minter: Buffer | null
}

/** Less than this is not paid out to the fee collector, nano-units. */
const LEAST_RECOVERED = 1_000_000_000n
const BURNING = 5
const TO_MINT = 7

/** How much of every extra currency is missing to what configuration parameter 7 wants there to be. */
const missingCurrencies = (config: Cell, global_balance: CurrencyCollection): CurrencyCollection => {
  const wanted = configParam(config, TO_MINT)
  if (!wanted) return NO_CURRENCY
  const present = new Map(extraCurrencies(global_balance.other))
  const missing = parseToMint(wanted)
    .map(([id, amount]): [number, bigint] => [id, amount - (present.get(id) ?? 0n)])
    .filter(([id, amount]) => id !== 0 && amount > 0n)
  return { grams: 0n, other: extraCurrencyDict(missing) }
}

/**
 * The fees of the shards, what is created, burned and minted, and what of the validators' fees goes out to the fee collector:
 * all by the configuration before the block. `fees` has an entry for every newest shard
 * block that is taken in, and for a new workchain. Throws `malformed`.
 */
export const masterchainIncome = (
  { params, create_fees, extra }: MasterConfig,
  fees: readonly ShardFees[],
  total_validator_fees: CurrencyCollection,
): MasterchainIncome => {
  const shard_fees = buildShardFees(fees)
  const { fees: fees_imported, create: import_created } = shard_fees.extra
  const { fee_collector_addr, minter_addr } = configAddresses(params)
  const burned = burnedFees(
    parseBurningConfig(configParam(params, BURNING)),
    subtractCurrencies(fees_imported, import_created),
  )
  const kept = subtractCurrencies(fees_imported, burned)
  const created = { ...NO_CURRENCY, grams: create_fees.masterchain_block_fee }
  const fees_collected = addCurrencies(kept, created)
  const due = addCurrencies(fees_collected, total_validator_fees)
  const recovered = fee_collector_addr && due.grams >= LEAST_RECOVERED ? due : NO_CURRENCY
  const minted = minter_addr ? missingCurrencies(params, extra.global_balance) : NO_CURRENCY
  return {
    shard_fees,
    fees_imported,
    import_created,
    burned,
    fees_collected,
    created,
    recovered,
    minted,
    fee_collector: recovered === NO_CURRENCY ? null : fee_collector_addr,
    minter: minted.other ? minter_addr : null,
  }
}
