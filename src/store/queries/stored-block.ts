import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import { type BlockInfo, parseBlockInfo } from '../../ton/tlb/block-info.ts'
import { type BlockRow, decodeBlock } from '../codecs.ts'
import { blockKey, readBlockKey, shardPrefix } from '../keys.ts'
import { firstKey, under } from '../scan.ts'
import type { Tables } from '../tables.ts'

/** A stored block with its header read. */
export interface StoredBlock {
  workchain: number
  shard: bigint
  seqno: number
  row: BlockRow
  info: BlockInfo
}

/** The block with this key. */
export const blockAt = (tables: Tables, key: Buffer): StoredBlock | undefined => {
  const bytes = tables.blocks.get(key)
  if (!bytes) return undefined
  const row = decodeBlock(bytes)
  return { ...readBlockKey(key), row, info: parseBlockInfo(parseBocRoot(row.info)) }
}

/** The masterchain block with this seqno. */
export const masterchainBlockAt = (tables: Tables, seqno: number): StoredBlock | undefined =>
  blockAt(tables, blockKey({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }))

/**
 * The first stored block of a shard of which `holds` is true, where it is true of all later ones. Its seqnos may have
 * gaps.
 */
export const firstBlockWhere = (
  tables: Tables,
  workchain: number,
  shard: bigint,
  holds: (block: StoredBlock) => boolean,
): StoredBlock | undefined => {
  const all = under(shardPrefix(workchain, shard))
  const [lowest, highest] = [firstKey(tables.blocks, all, 'asc'), firstKey(tables.blocks, all, 'desc')]
  if (!lowest || !highest) return undefined
  let [low, high] = [readBlockKey(lowest).seqno, readBlockKey(highest).seqno]
  let best: StoredBlock | undefined
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const key = firstKey(tables.blocks, { ...all, from: blockKey({ workchain, shard, seqno: middle }) }, 'asc')
    const block = key && blockAt(tables, key)
    if (!block || block.seqno > high) high = middle - 1
    else if (holds(block)) {
      best = block
      high = middle - 1
    } else low = block.seqno + 1
  }
  return best
}
