import { bytesKey } from '../../common/bytes-key.ts'
import type { BlockFilter, BlockRecord, SortOrder } from '../../model/index-records.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { decodeShardTops } from '../codecs.ts'
import { BLOCK_KEY_SIZE, blockKey, hashKey, readBlockKey, shardPrefix, u32Key } from '../keys.ts'
import { newestRange, oldestRange } from '../ranges.ts'
import { keysIn, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { blocksMatching } from './block-list.ts'
import { type Budget, CELL_COST } from './budget.ts'
import { type KeyList, type Pages, pagesOf } from './paging.ts'
import { inOrderOf, type RankedSource, rankedList, since } from './ranked.ts'
import { LT_SIZE, ltRank, TIME_SIZE, timeRank } from './ranks.ts'
import { blockAt, firstBlockWhere, masterchainBlockAt, type StoredBlock } from './stored-block.ts'
import { isBoundByLt, isTimed, isWithin, timeWindow } from './windows.ts'

const recordOf = ({ workchain, shard, seqno, row, info }: StoredBlock): BlockRecord => {
  const { root_hash, file_hash, mc_seqno, global_id, tx_count, rand_seed, created_by } = row
  const id = { workchain, shard, seqno, root_hash, file_hash }
  return { id, mc_seqno, global_id, tx_count, rand_seed, created_by, info }
}

/** Every part of the filter, asked of one block. */
const accepts = (filter: BlockFilter, { workchain, shard, seqno, row, info }: StoredBlock): boolean =>
  (filter.workchain === undefined || workchain === filter.workchain) &&
  (filter.shard === undefined || shard === filter.shard) &&
  (filter.seqno === undefined || seqno === filter.seqno) &&
  (filter.mc_seqno === undefined || row.mc_seqno === filter.mc_seqno) &&
  (!filter.root_hash || row.root_hash.equals(filter.root_hash)) &&
  (!filter.file_hash || row.file_hash.equals(filter.file_hash)) &&
  isWithin(filter, info.gen_utime, info.start_lt)

/** What the key of a block tells. */
const acceptsPlace = (filter: BlockFilter, key: Buffer): boolean => {
  const { workchain, shard, seqno } = readBlockKey(key, key.length - BLOCK_KEY_SIZE)
  return (
    (filter.workchain === undefined || workchain === filter.workchain) &&
    (filter.shard === undefined || shard === filter.shard) &&
    (filter.seqno === undefined || seqno === filter.seqno)
  )
}

const isByLt = (filter: BlockFilter): boolean => !isTimed(filter) && isBoundByLt(filter)

/** What a list has between: lt where it is by lt, else times. */
const rankBounds = (filter: BlockFilter): { low: Buffer | undefined; high: Buffer | undefined } => {
  if (!isByLt(filter)) return timeWindow(filter)
  const { start_lt, end_lt } = filter
  return {
    low: start_lt === undefined ? undefined : ltRank(start_lt),
    high: end_lt === undefined ? undefined : ltRank(end_lt),
  }
}

const rankOf = (filter: BlockFilter, { info }: StoredBlock): Buffer =>
  isByLt(filter) ? ltRank(info.start_lt) : timeRank(info.gen_utime)

const keyOf = (filter: BlockFilter, block: StoredBlock): Buffer =>
  Buffer.concat([rankOf(filter, block), blockKey(block)])

type Parts = Pick<KeyList, 'from' | 'skip'>

/** Blocks that were read for the keys of a page, by those. */
type ReadByKey = Map<string, StoredBlock>

/** The blocks of one shard: their order by seqno is that by time and by lt. */
const ofShard = (
  tables: Tables,
  filter: BlockFilter & { workchain: number; shard: bigint },
  sort: SortOrder,
  budget: Budget,
  read: ReadByKey,
): Parts => {
  const { workchain, shard } = filter
  const first = (rank: Buffer | undefined, isHigh: boolean): StoredBlock | undefined =>
    rank &&
    firstBlockWhere(tables, workchain, shard, (block) => {
      const order = rankOf(filter, block).compare(rank)
      return isHigh ? order > 0 : order >= 0
    })
  const { low, high } = rankBounds(filter)
  const all = under(shardPrefix(workchain, shard))
  return {
    from: function* (start) {
      const bottom = first(sort === 'asc' && start ? start : low, false)
      if (!bottom && (low || (sort === 'asc' && start))) return
      const top = first(sort === 'desc' && start ? start : high, true)
      const range = { from: bottom ? blockKey(bottom) : all.from, to: top ? blockKey(top) : all.to }
      for (const key of keysIn(tables.blocks, range, sort)) {
        budget.spend(CELL_COST)
        const block = blockAt(tables, key)
        if (!block) continue
        const ranked = keyOf(filter, block)
        read.set(bytesKey(ranked), block)
        yield ranked
      }
    },
  }
}

const collected = (filter: BlockFilter, blocks: readonly (StoredBlock | undefined)[], sort: SortOrder): Parts => {
  const keys = blocks
    .flatMap((block) => (block && accepts(filter, block) ? keyOf(filter, block) : []))
    .sort(inOrderOf(sort))
  return { from: (start) => since(keys, start, sort) }
}

const committedBy = (tables: Tables, mc_seqno: number): (StoredBlock | undefined)[] =>
  Array.from(keysIn(tables.blocks_by_mc, under(u32Key(mc_seqno)), 'asc'), (position) => {
    const key = tables.blocks_by_mc.get(position)
    return key && blockAt(tables, key)
  })

const withHash = (tables: Tables, hash: Buffer, budget: Budget): (StoredBlock | undefined)[] =>
  Array.from(keysIn(tables.blocks_by_hash, under(hashKey(hash)), 'asc'), (key) => {
    budget.spend(CELL_COST)
    return blockAt(tables, key.subarray(key.length - BLOCK_KEY_SIZE))
  })

const ofAll = (tables: Tables, filter: BlockFilter, sort: SortOrder, budget: Budget): Parts => {
  const byLt = isByLt(filter)
  const table = byLt ? tables.blocks_by_start_lt : tables.blocks_by_utime
  const part: RankedSource = { table, prefix: Buffer.alloc(0), ...rankBounds(filter) }
  const { from, skip } = rankedList(part, sort, budget)
  const exact = filter.workchain === undefined && filter.shard === undefined && (byLt || !isBoundByLt(filter))
  return { from, skip: exact ? skip : undefined }
}

const partsOf = (tables: Tables, filter: BlockFilter, sort: SortOrder, budget: Budget, read: ReadByKey): Parts => {
  const { workchain, seqno, mc_seqno, root_hash, file_hash } = filter
  const shard = filter.shard ?? (workchain === MASTERCHAIN ? SHARD_ALL : undefined)
  const hash = root_hash ?? file_hash
  if (hash) return collected(filter, withHash(tables, hash, budget), sort)
  if (mc_seqno !== undefined) return collected(filter, committedBy(tables, mc_seqno), sort)
  if (seqno !== undefined) return collected(filter, blocksMatching(tables, { workchain, shard, seqno }, budget), sort)
  if (workchain !== undefined && shard !== undefined)
    return ofShard(tables, { ...filter, workchain, shard }, sort, budget, read)
  return ofAll(tables, filter, sort, budget)
}

/** Pages of IndexReader.blocks */
export const blockPages = (tables: Tables, filter: BlockFilter, sort: SortOrder): Pages<BlockRecord> => {
  const rankSize = isByLt(filter) ? LT_SIZE : TIME_SIZE
  const needsRow = !isByLt(filter) && isBoundByLt(filter)
  const read: ReadByKey = new Map()
  const listOf = (budget: Budget): KeyList => ({
    ...partsOf(tables, filter, sort, budget, read),
    rankSize,
    keySize: rankSize + BLOCK_KEY_SIZE,
    accepts: (key) => {
      if (!acceptsPlace(filter, key)) return false
      if (!needsRow) return true
      budget.spend(CELL_COST)
      const block = blockAt(tables, key.subarray(rankSize))
      return block !== undefined && accepts(filter, block)
    },
  })
  return pagesOf(listOf, (keys) => {
    const blocks = keys.map((key) => read.get(bytesKey(key)) ?? blockAt(tables, key.subarray(rankSize)))
    read.clear()
    return blocks.flatMap((block) => (block ? recordOf(block) : []))
  })
}

/** IndexReader.shardState */
export const queryShardState = (tables: Tables, mc_seqno: number): BlockRecord[] => {
  const tops = tables.shard_tops.get(u32Key(mc_seqno))
  if (!tops) return []
  const keys = [
    blockKey({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: mc_seqno }),
    ...decodeShardTops(tops).map(blockKey),
  ]
  return keys
    .sort((a, b) => a.compare(b))
    .flatMap((key) => {
      const block = blockAt(tables, key)
      return block ? recordOf(block) : []
    })
}

/** IndexReader.masterchainEnds */
export const queryMasterchainEnds = (tables: Tables): { first: BlockRecord; last: BlockRecord } | undefined => {
  const [oldest, newest] = [oldestRange(tables), newestRange(tables)]
  const first = oldest && masterchainBlockAt(tables, oldest.first)
  const last = newest && masterchainBlockAt(tables, newest.last)
  return first && last && { first: recordOf(first), last: recordOf(last) }
}
