import type { SortOrder } from '../../model/index-records.ts'
import { indexOfKey, transactionKey } from '../../model/trace-changes.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { decodeBlock, type TransactionRow } from '../codecs.ts'
import { blockKey, readTxKey, shardPrefix, txKey, u32Key, u64Key } from '../keys.ts'
import { firstKey, type KeyRange, keysIn, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { type Budget, SEEK_COST } from './budget.ts'
import { arranged } from './ranked.ts'
import { LT_SIZE } from './ranks.ts'
import { firstBlockWhere, type StoredBlock } from './stored-block.ts'
import { rowOf } from './transaction-rows.ts'
import type { Bounds } from './windows.ts'

/** The place of the first transaction under a masterchain block that has this lt or a later one. */
const placeSince = (tables: Tables, mc_seqno: number, lt: bigint, budget: Budget): Buffer | undefined => {
  const all = under(u32Key(mc_seqno))
  const last = firstKey(tables.transactions, all, 'desc')
  if (!last) return undefined
  let [low, high] = [0, indexOfKey(readTxKey(last))]
  let best: Buffer | undefined
  while (low <= high) {
    budget.spend(SEEK_COST)
    const middle = (low + high) >>> 1
    const key = firstKey(tables.transactions, { ...all, from: txKey(transactionKey(mc_seqno, middle)) }, 'asc')!
    const place = readTxKey(key)
    if (rowOf(tables, place).lt < lt) low = indexOfKey(place) + 1
    else {
      best = key
      high = middle - 1
    }
  }
  return best
}

/**
 * The transactions that a masterchain block commits as ranked keys (lt, place), from the lt `start` on, each with its row.
 * Their places have the order of their lt, so that no more is read than is asked for.
 */
export function* transactionsUnder(
  tables: Tables,
  mc_seqno: number,
  sort: SortOrder,
  budget: Budget,
  start?: Buffer,
): Generator<{ ranked: Buffer; row: TransactionRow }> {
  const range: KeyRange = under(u32Key(mc_seqno))
  if (start) {
    const lt = start.readBigUInt64BE(0)
    const bound = placeSince(tables, mc_seqno, sort === 'asc' ? lt : lt + 1n, budget)
    if (sort === 'asc' && !bound) return
    if (bound) range[sort === 'asc' ? 'from' : 'to'] = bound
  }
  for (const key of keysIn(tables.transactions, range, sort)) {
    budget.spend(1)
    const row = rowOf(tables, readTxKey(key))
    yield { ranked: u64Key(row.lt, key), row }
  }
}

/**
 * The transactions of a block as ranked keys, those with an lt before `start` perhaps with them. They stand among those of
 * the other blocks of the masterchain block; the masterchain's own are the last.
 */
export function* transactionsOfBlock(
  tables: Tables,
  block: Pick<StoredBlock, 'workchain' | 'row'>,
  sort: SortOrder,
  budget: Budget,
  start?: Buffer,
): Generator<Buffer> {
  const { tx_count, mc_seqno, position } = block.row
  if (tx_count === 0) return
  if (block.workchain === MASTERCHAIN && sort === 'asc')
    return yield* [...transactionsOfBlock(tables, block, 'desc', budget)].reverse()
  let left = tx_count
  for (const { ranked, row } of transactionsUnder(tables, mc_seqno, sort, budget, start)) {
    if (row.position !== position) continue
    yield ranked
    if (--left === 0) return
  }
}

const ascending = (group: Buffer[]): Buffer[] => group.sort((a, b) => a.compare(b))

/**
 * The transactions of a shard as ranked keys (lt, place), those of one lt by their places, one block after the other: the
 * blocks of a shard follow each other in lt and in time.
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
    if (bytes)
      yield* arranged(
        transactionsOfBlock(tables, { workchain, row: decodeBlock(bytes) }, sort, budget),
        LT_SIZE,
        ascending,
      )
  }
}
