import type { SortOrder } from '../../model/index-records.ts'

import { MASTERCHAIN } from '../../ton/block-id.ts'
import { decodeBlock } from '../codecs.ts'
import { blockKey, readTxKey, shardPrefix, u32Key, u64Key } from '../keys.ts'
import { keysIn, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import type { Budget } from './budget.ts'
import { firstBlockWhere, type StoredBlock } from './stored-block.ts'
import { rowOf } from './transaction-rows.ts'
import type { Bounds } from './windows.ts'

/**
 * The transactions of a block as ranked keys (lt, place), ascending. They stand among those of the other blocks of the
 * masterchain block; the masterchain's own are the last.
 */
export const transactionsOfBlock = (
  tables: Tables,
  { workchain, row }: Pick<StoredBlock, 'workchain' | 'row'>,
  budget: Budget,
): Buffer[] => {
  const keys: Buffer[] = []
  if (row.tx_count === 0) return keys
  const sort = workchain === MASTERCHAIN ? 'desc' : 'asc'
  for (const key of keysIn(tables.transactions, under(u32Key(row.mc_seqno)), sort)) {
    budget.spend(1)
    const { lt, position } = rowOf(tables, readTxKey(key))
    if (position !== row.position) continue
    keys.push(u64Key(lt, key))
    if (keys.length >= row.tx_count) break
  }
  return sort === 'asc' ? keys : keys.reverse()
}

/** One lt after the other, those of one lt ascending. */
const inOrder = (keys: Buffer[], sort: SortOrder): Buffer[] =>
  sort === 'asc' ? keys : keys.sort((a, b) => b.compare(a, 0, 8, 0, 8) || a.compare(b))

/**
 * The transactions of a shard as ranked keys (lt, place), one block after the other: the blocks of a shard follow each
 * other in lt and in time.
 */
export function* transactionsOfShard(
  tables: Tables,
  { workchain, shard }: { workchain: number; shard: bigint },
  bounds: Bounds,
  sort: SortOrder,
  budget: Budget,
  start?: Buffer,
): Generator<Buffer> {
  const startLt = start?.readBigUInt64BE(0)
  const low = firstBlockWhere(
    tables,
    workchain,
    shard,
    ({ info }) =>
      info.gen_utime >= (bounds.start_utime ?? 0) &&
      info.end_lt >= (bounds.start_lt ?? 0n) &&
      info.end_lt >= (sort === 'asc' ? (startLt ?? 0n) : 0n),
  )
  if (!low) return
  const high = firstBlockWhere(
    tables,
    workchain,
    shard,
    ({ info }) =>
      (bounds.end_utime !== undefined && info.gen_utime > bounds.end_utime) ||
      (bounds.end_lt !== undefined && info.start_lt > bounds.end_lt) ||
      (sort === 'desc' && startLt !== undefined && info.start_lt > startLt),
  )
  const range = { ...under(shardPrefix(workchain, shard)), from: blockKey(low), ...(high && { to: blockKey(high) }) }
  for (const key of keysIn(tables.blocks, range, sort)) {
    budget.spend(1)
    const bytes = tables.blocks.get(key)
    if (bytes) yield* inOrder(transactionsOfBlock(tables, { workchain, row: decodeBlock(bytes) }, budget), sort)
  }
}
