import type { OutMsgQueueSizes } from '../../../chain/out-msg-queues.ts'
import type { BlockHeader, MasterchainInfo } from '../../../model/block.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../../ton/block-id.ts'
import { blockIdExt, type Neutral } from '../dialect.ts'

/** `blocks.masterchainInfo` (contracts/v2.md 6.1). */
export const masterchainInfo = (info: MasterchainInfo): Neutral => ({
  '@type': 'blocks.masterchainInfo',
  last: blockIdExt(info.last),
  state_root_hash: info.state_root_hash,
  init: blockIdExt(info.init),
})

/** `ext.blocks.consensusBlock` (contracts/v2.md 6.4); `timestamp` in seconds. */
export const consensusBlock = (seqno: number, timestamp: number): Neutral => ({
  '@type': 'ext.blocks.consensusBlock',
  consensus_block: seqno,
  timestamp,
})

/** `blocks.shards` (contracts/v2.md 6.6). */
export const shards = (ids: readonly BlockIdExt[]): Neutral => ({
  '@type': 'blocks.shards',
  shards: ids.map(blockIdExt),
})

/** `blocks.header`; as in the reference, a shard block shows 0 for its previous key block (contracts/v2.md 6.7). */
export const blockHeader = (header: BlockHeader): Neutral => ({
  '@type': 'blocks.header',
  id: blockIdExt(header.id),
  global_id: header.global_id,
  version: header.version,
  after_merge: header.after_merge,
  after_split: header.after_split,
  before_split: header.before_split,
  want_merge: header.want_merge,
  want_split: header.want_split,
  validator_list_hash_short: header.validator_list_hash_short,
  catchain_seqno: header.catchain_seqno,
  min_ref_mc_seqno: header.min_ref_mc_seqno,
  is_key_block: header.is_key_block,
  prev_key_block_seqno: header.id.workchain === MASTERCHAIN ? header.prev_key_block_seqno : 0,
  start_lt: String(header.start_lt),
  end_lt: String(header.end_lt),
  gen_utime: header.gen_utime,
  prev_blocks: header.prev_blocks.map(blockIdExt),
})

/** `blocks.outMsgQueueSizes` (contracts/v2.md 6.8). */
export const outMsgQueueSizes = ({ shards, ext_msg_queue_size_limit }: OutMsgQueueSizes): Neutral => ({
  '@type': 'blocks.outMsgQueueSizes',
  shards: shards.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: blockIdExt(id), size })),
  ext_msg_queue_size_limit,
})
