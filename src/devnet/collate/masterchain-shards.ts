import { greater } from '../../common/bigint-order.ts'
import { SHARD_ALL } from '../../ton/block-id.ts'
import { beginCell } from '../../ton/builder.ts'
import { beginParse } from '../../ton/slice.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { NO_CURRENCY } from '../../ton/tlb/currency.ts'
import type { ShardFees } from '../../ton/tlb/mc-block-extra.ts'
import { type ShardDescr, type ShardEntry, shardEntries } from '../../ton/tlb/shard-hashes.ts'
import { type WorkchainDescr, workchains } from '../../ton/tlb/workchain-descr.ts'
import type { ShardTop } from './collation.ts'
import type { MasterConfig } from './master-config.ts'
import { registerTops } from './shard-descr-register.ts'

/** What a masterchain block takes in from the shards. */
export interface TakenShards {
  entries: readonly ShardEntry[]
  fees: readonly ShardFees[]
  creators: readonly Buffer[]
  /** End of the newest of the new shard blocks; 0 without one. */
  end_lt: bigint
}

const WORKCHAINS = 12
/** No masterchain block, as there is no block of the workchain yet. */
const NO_SEQNO = 0xffffffff
/** Two empty amounts in line. */
const NO_FEES = beginCell().uint(0, 10).endCell()
/** From this global version on, blocks of one second may follow each other. */
const SAME_SECOND = 13
/** How far a shard block's logical time may be ahead of the masterchain (node: Config::get_max_lt_growth). */
const MAX_LT_GROWTH = 9_999_999n

const zerostateDescr = (
  { zerostate_root_hash, zerostate_file_hash }: WorkchainDescr,
  reg_mc_seqno: number,
): ShardDescr => ({
  _: 'shard_descr',
  seq_no: 0,
  reg_mc_seqno,
  start_lt: 0n,
  end_lt: 0n,
  root_hash: zerostate_root_hash,
  file_hash: zerostate_file_hash,
  before_split: false,
  before_merge: false,
  want_split: false,
  want_merge: false,
  nx_cc_updated: false,
  flags: 0,
  next_catchain_seqno: 0,
  next_validator_shard: SHARD_ALL,
  min_ref_mc_seqno: NO_SEQNO,
  gen_utime: 0,
  split_merge_at: { _: 'fsm_none' },
  fees: beginParse(NO_FEES),
})

/** Workchains that the configuration has and the masterchain does not know yet: they begin with their zerostate. */
const newWorkchains = (
  { params }: MasterConfig,
  known: readonly ShardEntry[],
  seqno: number,
  now: number,
): ShardEntry[] => {
  const described = configParam(params, WORKCHAINS)
  return [...(described ? workchains(described) : [])]
    .filter(([workchain, { active, enabled_since }]) => {
      return active && enabled_since <= now && !known.some((entry) => entry.workchain === workchain)
    })
    .map(([workchain, descr]) => ({ workchain, shard: SHARD_ALL, descr: zerostateDescr(descr, seqno) }))
}

/**
 * What the masterchain block after `master` at `now` (unix seconds) takes in: new workchains, and these newest shard blocks.
 * Throws `invalid` for a block that the node's rules do not let in.
 */
export const takeShards = (master: MasterConfig, tops: readonly ShardTop[], now: number): TakenShards => {
  const seqno = master.source.id.seqno + 1
  const known = [...shardEntries(master.extra.shard_hashes)]
  const fresh = newWorkchains(master, known, seqno, now)
  const entries = registerTops([...known, ...fresh], tops, {
    seqno,
    utime: master.version.version >= SAME_SECOND ? now : now - 1,
    lt: master.state.gen_lt + MAX_LT_GROWTH,
  })
  return {
    entries,
    fees: [
      ...fresh.map(({ workchain, shard }) => ({ workchain, shard, fees: NO_CURRENCY, create: NO_CURRENCY })),
      ...tops.map(({ id, fees_collected, funds_created }) => ({
        workchain: id.workchain,
        shard: id.shard,
        fees: fees_collected,
        create: funds_created,
      })),
    ],
    creators: tops.flatMap(({ creators }) => creators),
    end_lt: tops.reduce((last, { info }) => greater(info.end_lt, last), 0n),
  }
}
