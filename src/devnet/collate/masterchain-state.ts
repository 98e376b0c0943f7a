import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import type { Builder } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { key32 } from '../../ton/dictionary.ts'
import { updateAugDict } from '../../ton/dictionary-update.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { addCurrencies, type CurrencyCollection, subtractCurrencies } from '../../ton/tlb/currency.ts'
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts'
import {
  type BlockCreateStats,
  buildMcStateHistory,
  type KeyMaxLt,
  keyMaxLtAug,
  type McStateExtra,
  type McStateHistory,
  storeKeyExtBlkRef,
  type ValidatorInfo,
} from '../../ton/tlb/mc-state-extra.ts'
import { buildShardHashes, type ShardEntry } from '../../ton/tlb/shard-hashes.ts'
import { type CatchainConfig, parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { workchains } from '../../ton/tlb/workchain-descr.ts'
import { validatorListHashShort, validatorSubset } from '../../ton/validator-set.ts'
import { CREATE_STATS } from './capabilities.ts'
import type { BlockSource } from './collation.ts'
import { countCreators } from './creator-stats.ts'
import type { NextConfig } from './key-block.ts'
import { hasCapability, type MasterConfig, neededParam } from './master-config.ts'
import type { MasterchainIncome } from './masterchain-fees.ts'
import { planShards } from './shard-descr-plan.ts'

/** What a masterchain block did, as far as the masterchain's own part of the state is about it. */
export interface MasterchainStep {
  /** gen_utime, unix seconds. */
  now: number
  created_by: Buffer
  /** Keys that made the shard blocks which the block takes in, one for each. */
  shard_creators: readonly Buffer[]
  /** registerTops */
  entries: readonly ShardEntry[]
  income: MasterchainIncome
  /** All that the block and those of the shards minted, and all that the block burned. */
  minted: CurrencyCollection
  burned: CurrencyCollection
  config: NextConfig
}

/** The masterchain's own part of the state after a block. */
export interface MasterchainState {
  extra: McStateExtra
  /** The least min_ref_mc_seqno of all shards. */
  min_ref_mc_seqno: number
}

/** From this global version on, what is burned leaves the global balance. */
const BURNED_LEAVES = 17
const WORKCHAINS = 12
const CATCHAIN = 28
const VALIDATORS = 34
const HAS_STATS = 1

const refOf = ({ id, end_lt }: BlockSource): ExtBlkRef => ({
  end_lt,
  seq_no: id.seqno,
  root_hash: id.root_hash,
  file_hash: id.file_hash,
})

/** True when a lifetime (seconds) ended between two moments. */
const isOver = (lifetime: number, from: number, to: number): boolean =>
  Math.floor(to / lifetime) > Math.floor(from / lifetime)

const nextValidatorInfo = (
  { catchain_seqno }: ValidatorInfo,
  params: Cell,
  rules: CatchainConfig,
  rotate: { master: boolean; shards: boolean },
): ValidatorInfo => {
  const seqno = catchain_seqno + Number(rotate.master)
  const set = parseValidatorSet(neededParam(params, VALIDATORS))
  const { validators } = validatorSubset(set, rules, { workchain: MASTERCHAIN, shard: SHARD_ALL }, seqno)
  return {
    validator_list_hash_short: validatorListHashShort(0, validators),
    catchain_seqno: seqno,
    nx_cc_updated: rotate.master && rotate.shards,
  }
}

const nextPrevBlocks = ({ history, source }: MasterConfig): AugDict<KeyMaxLt> => {
  const block = { key: history.after_key_block, blk_ref: refOf(source) }
  const change = {
    key: key32(source.id.seqno),
    store: (builder: Builder) => storeKeyExtBlkRef(builder, block),
    extra: { key: block.key, max_end_lt: block.blk_ref.end_lt },
  }
  return updateAugDict(history.prev_blocks, [change], 32, keyMaxLtAug)
}

const nextStats = (master: MasterConfig, step: MasterchainStep): BlockCreateStats | null => {
  if (!hasCapability(master, CREATE_STATS)) return null
  const counters = master.history.block_create_stats?.counters ?? null
  return {
    _: 'block_create_stats',
    extra: null,
    counters: countCreators(counters, step.created_by, step.shard_creators, step.now),
  }
}

const nextBalance = (
  { extra, version }: MasterConfig,
  { income, minted, burned }: MasterchainStep,
): CurrencyCollection => {
  const more = [income.created, minted, income.import_created].reduce(addCurrencies, extra.global_balance)
  return version.version >= BURNED_LEAVES ? subtractCurrencies(more, burned) : more
}

/**
 * The masterchain's own part of the state after a block on top of `master`, as the node's collator makes it: configuration,
 * shards, catchain seqnos, earlier blocks, statistics, global balance. Throws `malformed`.
 */
export const nextMasterchainState = (master: MasterConfig, step: MasterchainStep): MasterchainState => {
  const { params, changed } = step.config
  const rules = parseCatchainConfig(neededParam(params.config, CATCHAIN))
  const before = master.state.gen_utime
  const rotate = {
    master: changed || isOver(rules.mc_catchain_lifetime, before, step.now),
    shards: changed || isOver(rules.shard_catchain_lifetime, before, step.now),
  }
  const described = configParam(params.config, WORKCHAINS)
  const entries = planShards(step.entries, {
    now: step.now,
    workchains: new Map(described ? workchains(described) : []),
    rotate: rotate.shards,
  })
  const stats = nextStats(master, step)
  const history: McStateHistory = {
    flags: stats ? HAS_STATS : 0,
    validator_info: nextValidatorInfo(master.history.validator_info, params.config, rules, rotate),
    prev_blocks: nextPrevBlocks(master),
    after_key_block: changed,
    last_key_block: master.history.after_key_block ? refOf(master.source) : master.history.last_key_block,
    block_create_stats: stats,
  }
  return {
    extra: {
      shard_hashes: buildShardHashes(entries),
      config: params,
      history: buildMcStateHistory(history),
      global_balance: nextBalance(master, step),
    },
    min_ref_mc_seqno: Math.min(...step.entries.map(({ descr }) => descr.min_ref_mc_seqno)),
  }
}
