import type { BlockRecord } from '../../../model/index-records.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../ton/block-id.ts'
import { prevBlockIds } from '../../../ton/tlb/block-info.ts'
import { parseBlkMasterInfo } from '../../../ton/tlb/ext-blk-ref.ts'
import type { Wire } from '../go-json.ts'
import { base64, blockId, shardText } from './scalars.ts'

/** Block of contracts/v3.md 5.1. */
export const block = ({ id, mc_seqno, info, ...kept }: BlockRecord): Wire => ({
  workchain: id.workchain,
  shard: shardText(id.shard),
  seqno: id.seqno,
  root_hash: base64(id.root_hash),
  file_hash: base64(id.file_hash),
  global_id: kept.global_id,
  version: info.version,
  after_merge: info.after_merge,
  before_split: info.before_split,
  after_split: info.after_split,
  want_merge: info.want_merge,
  want_split: info.want_split,
  key_block: info.key_block,
  vert_seqno_incr: info.vert_seqno_incr,
  flags: info.flags,
  gen_utime: String(info.gen_utime),
  start_lt: String(info.start_lt),
  end_lt: String(info.end_lt),
  validator_list_hash_short: info.gen_validator_list_hash_short | 0,
  gen_catchain_seqno: info.gen_catchain_seqno,
  min_ref_mc_seqno: info.min_ref_mc_seqno,
  prev_key_block_seqno: info.prev_key_block_seqno,
  vert_seqno: info.vert_seq_no,
  master_ref_seqno: info.master_ref ? parseBlkMasterInfo(info.master_ref).seq_no : 0,
  rand_seed: base64(kept.rand_seed),
  created_by: base64(kept.created_by),
  tx_count: kept.tx_count,
  masterchain_block_ref: blockId({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: mc_seqno }),
  prev_blocks: prevBlockIds(info).map(blockId),
})
