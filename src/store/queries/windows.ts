import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import { type BlockInfo, parseBlockInfo } from '../../ton/tlb/block-info.ts'
import { type BlockRow, decodeBlock } from '../codecs.ts'
import { blockKey, readBlockKey, shardPrefix, u32Key, u64Key } from '../keys.ts'
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

/** Bounds of a list: seconds and lt, all inclusive. */
export interface Bounds {
  start_utime?: number | undefined
  end_utime?: number | undefined
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

/** How far, in seconds, the clock of a shard may be from that of a masterchain block of about the same lt. */
const SLACK_SECONDS = 900

const MASTERCHAIN_BLOCKS = under(shardPrefix(MASTERCHAIN, SHARD_ALL))

const firstMasterchainFrom = (tables: Tables, utime: number): StoredBlock | undefined =>
  firstBlockWhere(tables, MASTERCHAIN, SHARD_ALL, ({ info }) => info.gen_utime >= utime)

const lastMasterchainBefore = (tables: Tables, utime: number): StoredBlock | undefined => {
  const next = firstMasterchainFrom(tables, utime)
  const key = firstKey(tables.blocks, { ...MASTERCHAIN_BLOCKS, ...(next && { to: blockKey(next) }) }, 'desc')
  return key && blockAt(tables, key)
}

const lowLt = (tables: Tables, { start_lt, start_utime }: Bounds): bigint | undefined => {
  const since =
    start_utime === undefined ? undefined : lastMasterchainBefore(tables, start_utime - SLACK_SECONDS)?.info.start_lt
  return since !== undefined && (start_lt === undefined || start_lt < since) ? since : start_lt
}

const highLt = (tables: Tables, { end_lt, end_utime }: Bounds): bigint | undefined => {
  if (end_utime === undefined) return end_lt
  const until = firstMasterchainFrom(tables, end_utime + SLACK_SECONDS)
  if (!until) return end_lt
  return end_lt !== undefined && end_lt < until.info.end_lt ? end_lt : until.info.end_lt
}

/**
 * The lt that a list with these bounds can have, as ranks of 8 bytes: times are turned into lt by the masterchain blocks
 * of that time, and some slack. What stands between is still to be compared with the times.
 */
export const ltWindow = (tables: Tables, bounds: Bounds): { low?: Buffer | undefined; high?: Buffer | undefined } => {
  const [low, high] = [lowLt(tables, bounds), highLt(tables, bounds)]
  return { low: low === undefined ? undefined : ltRank(low), high: high === undefined ? undefined : ltRank(high) }
}

/** Bytes of the ranks of lists: by lt, by time, by time and then lt. */
export const LT_SIZE = 8
export const TIME_SIZE = 4
export const TIME_LT_SIZE = TIME_SIZE + LT_SIZE

const MAX_U64 = (1n << 64n) - 1n
const MAX_U32 = 0xffffffff

/** An lt as a rank; one that is no uint64 becomes the nearest. */
export const ltRank = (lt: bigint): Buffer => u64Key(lt < 0n ? 0n : lt > MAX_U64 ? MAX_U64 : lt)

/** A time in seconds as a rank; one that is no uint32 becomes the nearest. */
export const timeRank = (utime: number): Buffer => u32Key(Math.max(0, Math.min(MAX_U32, Math.floor(utime))))

/** The times that a list with these bounds can have, as ranks of 4 bytes. */
export const timeWindow = ({
  start_utime,
  end_utime,
}: Bounds): { low: Buffer | undefined; high: Buffer | undefined } => ({
  low: start_utime === undefined ? undefined : timeRank(start_utime),
  high: end_utime === undefined ? undefined : timeRank(end_utime),
})

export const isTimed = ({ start_utime, end_utime }: Bounds): boolean =>
  start_utime !== undefined || end_utime !== undefined

export const isBoundByLt = ({ start_lt, end_lt }: Bounds): boolean => start_lt !== undefined || end_lt !== undefined

/** True when time and lt are within the bounds. */
export const isWithin = (bounds: Bounds, utime: number, lt: bigint): boolean =>
  !(
    (bounds.start_utime !== undefined && utime < bounds.start_utime) ||
    (bounds.end_utime !== undefined && utime > bounds.end_utime) ||
    (bounds.start_lt !== undefined && lt < bounds.start_lt) ||
    (bounds.end_lt !== undefined && lt > bounds.end_lt)
  )
