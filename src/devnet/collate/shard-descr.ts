import { buildShardDescrFees, type ShardDescr } from '../../ton/tlb/shard-hashes.ts'
import type { ShardTop } from './collation.ts'

/** What the masterchain block `reg_mc_seqno` says of a shard's newest block; nothing is planned for that shard yet. */
export const shardDescrOf = (
  { id, info, fees_collected, funds_created }: ShardTop,
  reg_mc_seqno: number,
): ShardDescr => ({
  _: 'shard_descr_new',
  seq_no: id.seqno,
  reg_mc_seqno,
  start_lt: info.start_lt,
  end_lt: info.end_lt,
  root_hash: id.root_hash,
  file_hash: id.file_hash,
  before_split: info.before_split,
  before_merge: false,
  want_split: info.want_split,
  want_merge: info.want_merge,
  nx_cc_updated: false,
  flags: 0,
  next_catchain_seqno: info.gen_catchain_seqno,
  next_validator_shard: id.shard,
  min_ref_mc_seqno: info.min_ref_mc_seqno,
  gen_utime: info.gen_utime,
  split_merge_at: { _: 'fsm_none' },
  fees: buildShardDescrFees({ fees_collected, funds_created }),
})
