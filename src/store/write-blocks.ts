import type { Batch, BatchBlock } from '../model/batch.ts'
import { sameBlock } from '../ton/block-id.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { encodeBlock, encodeShardTops } from './codecs.ts'
import { blockEntries } from './entries.ts'
import { blockKey, u32Key } from './keys.ts'
import type { Tables } from './tables.ts'
import { putEntries } from './write-entries.ts'

/** Key in blocks_by_mc of the block at `position` among those that `mc_seqno` commits. */
export const positionKey = (mc_seqno: number, position: number): Buffer => {
  const place = Buffer.allocUnsafe(2)
  place.writeUInt16BE(position)
  return u32Key(mc_seqno, place)
}

const writeBlock = (tables: Tables, mc_seqno: number, block: BatchBlock, position: number): void => {
  const { id, global_id, tx_count, rand_seed, created_by, info, info_cell } = block
  const { root_hash, file_hash } = id
  const key = blockKey(id)
  if (tables.blocks.doesExist(key)) return
  const boc = cellToBoc(info_cell)
  tables.blocks.putSync(
    key,
    encodeBlock({ mc_seqno, position, global_id, tx_count, root_hash, file_hash, rand_seed, created_by, info: boc }),
  )
  tables.blocks_by_mc.putSync(positionKey(mc_seqno, position), key)
  putEntries(tables, blockEntries(id, info))
}

/** Writes the blocks that a masterchain block commits and the newest of each shard; those that are stored stay. */
export const writeBlocks = (
  tables: Tables,
  { mc, blocks, shard_tops }: Pick<Batch, 'mc' | 'blocks' | 'shard_tops'>,
): void => {
  blocks.forEach((block, position) => {
    writeBlock(tables, mc.seqno, block, position)
  })
  tables.shard_tops.putSync(u32Key(mc.seqno), encodeShardTops(shard_tops))
}

/** Writes the blocks that hold the transactions of the batch, and the masterchain block; those that are stored stay. */
export const writeHoldingBlocks = (
  tables: Tables,
  { mc, blocks, transactions }: Pick<Batch, 'mc' | 'blocks' | 'transactions'>,
): void => {
  const holding = new Set(transactions.map(({ block }) => block))
  blocks.forEach((block, position) => {
    if (holding.has(position) || sameBlock(block.id, mc)) writeBlock(tables, mc.seqno, block, position)
  })
}
