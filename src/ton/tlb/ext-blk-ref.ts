import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../block-id.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { loadShardIdent, shardOf } from './shard-ident.ts'
import { buildCell, parseCell } from './tag.ts'

/** TL-B ExtBlkRef: a block of a known shard, with its end lt. */
export interface ExtBlkRef {
  end_lt: bigint
  seq_no: number
  root_hash: Buffer
  file_hash: Buffer
}

/** TL-B ExtBlkRef. */
export const loadExtBlkRef = (slice: Slice): ExtBlkRef => ({
  end_lt: slice.uintBig(64),
  seq_no: slice.uint(32),
  root_hash: slice.bytes(32),
  file_hash: slice.bytes(32),
})

/** Writes TL-B ExtBlkRef. */
export const storeExtBlkRef = (builder: Builder, { end_lt, seq_no, root_hash, file_hash }: ExtBlkRef): Builder =>
  builder.uint(end_lt, 64).uint(seq_no, 32).bytes(root_hash).bytes(file_hash)

/** TL-B ^BlkMasterInfo: the masterchain block that a shard block refers to. */
export const parseBlkMasterInfo = (cell: Cell): ExtBlkRef => parseCell(cell, loadExtBlkRef)

/** TL-B ^BlkMasterInfo. */
export const buildBlkMasterInfo = (ref: ExtBlkRef): Cell => buildCell(storeExtBlkRef, ref)

/** Full id of a referred block in the given shard. */
export const blockIdOf = (ref: ExtBlkRef, workchain: number, shard: bigint): BlockIdExt => ({
  workchain,
  shard,
  seqno: ref.seq_no,
  root_hash: ref.root_hash,
  file_hash: ref.file_hash,
})

/** Full id of a referred masterchain block. */
export const masterBlockIdOf = (ref: ExtBlkRef): BlockIdExt => blockIdOf(ref, MASTERCHAIN, SHARD_ALL)

/** TL-B BlockIdExt. */
export const loadBlockIdExt = (slice: Slice): BlockIdExt => {
  const ident = loadShardIdent(slice)
  return {
    workchain: ident.workchain_id,
    shard: shardOf(ident),
    seqno: slice.uint(32),
    root_hash: slice.bytes(32),
    file_hash: slice.bytes(32),
  }
}
