import { type BlockIdExt, MASTERCHAIN } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { blockIdOf, type ExtBlkRef, loadExtBlkRef } from './ext-blk-ref.ts'
import { type GlobalVersion, loadGlobalVersion } from './global-version.ts'
import { loadShardIdent, type ShardIdent, shardChild, shardOf, shardParent } from './shard-ident.ts'
import { expectTag, malformed, parseCell } from './tag.ts'

/** TL-B BlockInfo. The referred cells stay closed; times are unix seconds. */
export interface BlockInfo {
  version: number
  not_master: boolean
  after_merge: boolean
  before_split: boolean
  after_split: boolean
  want_split: boolean
  want_merge: boolean
  key_block: boolean
  vert_seqno_incr: boolean
  flags: number
  seq_no: number
  vert_seq_no: number
  shard: ShardIdent
  gen_utime: number
  start_lt: bigint
  end_lt: bigint
  gen_validator_list_hash_short: number
  gen_catchain_seqno: number
  min_ref_mc_seqno: number
  prev_key_block_seqno: number
  gen_software: GlobalVersion | null
  /** parseBlkMasterInfo; null in a masterchain block. */
  master_ref: Cell | null
  /** parseBlkPrevInfo */
  prev_ref: Cell
  /** parseBlkPrevInfo with `after_merge` false */
  prev_vert_ref: Cell | null
}

const loadBlockInfo = (slice: Slice): BlockInfo => {
  expectTag(slice, 32, 0x9bc7a987, 'BlockInfo')
  const head = {
    version: slice.uint(32),
    not_master: slice.bit(),
    after_merge: slice.bit(),
    before_split: slice.bit(),
    after_split: slice.bit(),
    want_split: slice.bit(),
    want_merge: slice.bit(),
    key_block: slice.bit(),
    vert_seqno_incr: slice.bit(),
    flags: slice.uint(8),
    seq_no: slice.uint(32),
    vert_seq_no: slice.uint(32),
    shard: loadShardIdent(slice),
    gen_utime: slice.uint(32),
    start_lt: slice.uintBig(64),
    end_lt: slice.uintBig(64),
    gen_validator_list_hash_short: slice.uint(32),
    gen_catchain_seqno: slice.uint(32),
    min_ref_mc_seqno: slice.uint(32),
    prev_key_block_seqno: slice.uint(32),
  }
  if (head.flags > 1 || head.seq_no === 0 || head.vert_seq_no < Number(head.vert_seqno_incr))
    throw malformed('BlockInfo')
  return {
    ...head,
    gen_software: head.flags & 1 ? loadGlobalVersion(slice) : null,
    master_ref: head.not_master ? slice.ref() : null,
    prev_ref: slice.ref(),
    prev_vert_ref: head.vert_seqno_incr ? slice.ref() : null,
  }
}

/** TL-B BlockInfo: reads this one cell only. Throws `malformed`. */
export const parseBlockInfo = (cell: Cell): BlockInfo => parseCell(cell, loadBlockInfo)

/** True when a header names the workchain, shard and seqno of a block's id. */
export const isHeaderOf = (info: BlockInfo, id: BlockIdExt): boolean =>
  info.seq_no === id.seqno &&
  info.shard.workchain_id === id.workchain &&
  shardOf(info.shard) === id.shard &&
  info.not_master === (id.workchain !== MASTERCHAIN)

/** TL-B ^(BlkPrevInfo after_merge): the one predecessor, or the left and the right one after a merge. */
export const parseBlkPrevInfo = (cell: Cell, after_merge: boolean): ExtBlkRef[] => {
  if (!after_merge) return [parseCell(cell, loadExtBlkRef)]
  return parseCell(cell, (slice) => [slice.ref(), slice.ref()]).map((ref) => parseCell(ref, loadExtBlkRef))
}

/** Full ids of the previous blocks: of the parent shard after a split, of both halves (left first) after a merge. */
export const prevBlockIds = (info: BlockInfo): BlockIdExt[] => {
  const { workchain_id } = info.shard
  const shard = shardOf(info.shard)
  const shards = info.after_merge
    ? [shardChild(shard, false), shardChild(shard, true)]
    : [info.after_split ? shardParent(shard) : shard]
  return parseBlkPrevInfo(info.prev_ref, info.after_merge).map((ref, i) => blockIdOf(ref, workchain_id, shards[i]!))
}
