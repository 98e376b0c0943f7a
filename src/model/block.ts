import type { BlockIdExt } from '../ton/block-id.ts'
import type { Block } from '../ton/tlb/block.ts'
import { type BlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'

/** TL-B BlockInfo and the block's global_id, as far as API answers show them. */
export interface BlockHeader {
  id: BlockIdExt
  global_id: number
  version: number
  after_merge: boolean
  after_split: boolean
  before_split: boolean
  want_merge: boolean
  want_split: boolean
  /** gen_validator_list_hash_short as signed int32. */
  validator_list_hash_short: number
  catchain_seqno: number
  min_ref_mc_seqno: number
  is_key_block: boolean
  prev_key_block_seqno: number
  start_lt: bigint
  end_lt: bigint
  /** Seconds. */
  gen_utime: number
  /** One block, or two after a merge (left shard first). */
  prev_blocks: BlockIdExt[]
}

/** The newest masterchain block and what the network began with. */
export interface MasterchainInfo {
  last: BlockIdExt
  state_root_hash: Buffer
  /** The zero state: workchain -1, shard 0, seqno 0. */
  init: BlockIdExt
}

/** The id with hashes of its own, where those it came with are views of a larger answer that is not to be kept. */
export const ownBlockId = (id: BlockIdExt): BlockIdExt => ({
  ...id,
  root_hash: Buffer.from(id.root_hash),
  file_hash: Buffer.from(id.file_hash),
})

/** What answers show of a block's header. `info` may come from a proof that shows the header alone. Throws `malformed`. */
export const blockHeaderOf = (
  id: BlockIdExt,
  { global_id }: Pick<Block, 'global_id'>,
  info: BlockInfo,
): BlockHeader => ({
  id: ownBlockId(id),
  global_id,
  version: info.version,
  after_merge: info.after_merge,
  after_split: info.after_split,
  before_split: info.before_split,
  want_merge: info.want_merge,
  want_split: info.want_split,
  validator_list_hash_short: info.gen_validator_list_hash_short | 0,
  catchain_seqno: info.gen_catchain_seqno,
  min_ref_mc_seqno: info.min_ref_mc_seqno,
  is_key_block: info.key_block,
  prev_key_block_seqno: info.prev_key_block_seqno,
  start_lt: info.start_lt,
  end_lt: info.end_lt,
  gen_utime: info.gen_utime,
  prev_blocks: prevBlockIds(info).map(ownBlockId),
})
