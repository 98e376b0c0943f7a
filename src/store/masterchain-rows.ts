import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { type BlockRow, decodeBlock } from './codecs.ts'
import { blockKey } from './keys.ts'
import { newestRange } from './ranges.ts'
import type { Tables } from './tables.ts'

/** The row of a masterchain block. */
export const masterchainRow = (tables: Pick<Tables, 'blocks'>, seqno: number): BlockRow | undefined => {
  const bytes = tables.blocks.get(blockKey({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }))
  return bytes && decodeBlock(bytes)
}

/** The id of the masterchain block that a row is of. */
export const masterchainId = (seqno: number, { root_hash, file_hash }: BlockRow): BlockIdExt => ({
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno,
  root_hash,
  file_hash,
})

/** The newest masterchain block that is indexed; undefined when there is none. */
export const newestMasterchain = (tables: Pick<Tables, 'blocks' | 'ranges'>): BlockIdExt | undefined => {
  const seqno = newestRange(tables)?.last
  const row = seqno === undefined ? undefined : masterchainRow(tables, seqno)
  return seqno !== undefined && row ? masterchainId(seqno, row) : undefined
}
