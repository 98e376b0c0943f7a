import { TonlithError } from '../../common/errors.ts'
import { type BlockIdExt, MASTERCHAIN } from '../block-id.ts'
import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { blockIdOf, type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from './ext-blk-ref.ts'
import { type GlobalVersion, loadGlobalVersion, storeGlobalVersion } from './global-version.ts'
import { loadShardIdent, type ShardIdent, shardChild, shardOf, shardParent, storeShardIdent } from './shard-ident.ts'
import { buildCell, expectTag, malformed, parseCell } from './tag.ts'

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

const BLOCK_INFO = 0x9bc7a987

const loadBlockInfo = (slice: Slice): BlockInfo => {
  expectTag(slice, 32, BLOCK_INFO, 'BlockInfo')
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

const storeBlockInfo = (builder: Builder, info: BlockInfo): void => {
  builder
    .uint(BLOCK_INFO, 32)
    .uint(info.version, 32)
    .bit(info.not_master)
    .bit(info.after_merge)
    .bit(info.before_split)
    .bit(info.after_split)
    .bit(info.want_split)
    .bit(info.want_merge)
    .bit(info.key_block)
    .bit(info.vert_seqno_incr)
    .uint(info.flags, 8)
    .uint(info.seq_no, 32)
    .uint(info.vert_seq_no, 32)
  storeShardIdent(builder, info.shard)
    .uint(info.gen_utime, 32)
    .uint(info.start_lt, 64)
    .uint(info.end_lt, 64)
    .uint(info.gen_validator_list_hash_short, 32)
    .uint(info.gen_catchain_seqno, 32)
    .uint(info.min_ref_mc_seqno, 32)
    .uint(info.prev_key_block_seqno, 32)
  if (info.gen_software) storeGlobalVersion(builder, info.gen_software)
  if (info.master_ref) builder.ref(info.master_ref)
  builder.ref(info.prev_ref)
  if (info.prev_vert_ref) builder.ref(info.prev_vert_ref)
}

/** TL-B ^BlockInfo. `flags`, `not_master` and `vert_seqno_incr` must agree with which of the optional parts are there. */
export const buildBlockInfo = (info: BlockInfo): Cell => buildCell(storeBlockInfo, info)

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

/** TL-B ^BlkPrevInfo: of one predecessor, or of the left and the right one after a merge. */
export const buildBlkPrevInfo = (prev: readonly ExtBlkRef[]): Cell => {
  const refs = prev.map((ref) => buildCell(storeExtBlkRef, ref))
  const [left, right] = refs
  if (!left || refs.length > 2) throw new TonlithError('internal', 'a block has one or two predecessors')
  return right ? beginCell().ref(left).ref(right).endCell() : left
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
