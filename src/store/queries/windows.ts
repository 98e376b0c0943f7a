import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { blockKey, shardPrefix } from '../keys.ts'
import { firstKey, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { ltSince, ltUntil, SLACK_SECONDS } from './lt-of-time.ts'
import { ltRank, timeRank } from './ranks.ts'
import { blockAt, firstBlockWhere, type StoredBlock } from './stored-block.ts'

/** Bounds of a list: seconds and lt, all inclusive. */
export interface Bounds {
  start_utime?: number | undefined
  end_utime?: number | undefined
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

const MASTERCHAIN_BLOCKS = under(shardPrefix(MASTERCHAIN, SHARD_ALL))

const firstMasterchainFrom = (tables: Tables, utime: number): StoredBlock | undefined =>
  firstBlockWhere(tables, MASTERCHAIN, SHARD_ALL, ({ info }) => info.gen_utime >= utime)

const lastMasterchainBefore = (tables: Tables, utime: number): StoredBlock | undefined => {
  const next = firstMasterchainFrom(tables, utime)
  const key = firstKey(tables.blocks, { ...MASTERCHAIN_BLOCKS, ...(next && { to: blockKey(next) }) }, 'desc')
  return key && blockAt(tables, key)
}

/** The lowest lt at a time or later; where the blocks do not tell it, by the masterchain block of that time and some slack. */
const sinceTime = (tables: Tables, utime: number): bigint | undefined =>
  ltSince(tables, utime) ?? lastMasterchainBefore(tables, utime - SLACK_SECONDS)?.info.start_lt

const untilTime = (tables: Tables, utime: number): bigint | undefined =>
  ltUntil(tables, utime) ?? firstMasterchainFrom(tables, utime + SLACK_SECONDS)?.info.end_lt

const lowLt = (tables: Tables, { start_lt, start_utime }: Bounds): bigint | undefined => {
  const since = start_utime === undefined ? undefined : sinceTime(tables, start_utime)
  return since !== undefined && (start_lt === undefined || start_lt < since) ? since : start_lt
}

const highLt = (tables: Tables, { end_lt, end_utime }: Bounds): bigint | undefined => {
  const until = end_utime === undefined ? undefined : untilTime(tables, end_utime)
  return until !== undefined && (end_lt === undefined || end_lt > until) ? until : end_lt
}

/**
 * The lt that a list with these bounds can have, as ranks of 8 bytes: times are turned into lt by the blocks of that time.
 * What stands between is still to be compared with the times.
 */
export const ltWindow = (tables: Tables, bounds: Bounds): { low?: Buffer | undefined; high?: Buffer | undefined } => {
  const [low, high] = [lowLt(tables, bounds), highLt(tables, bounds)]
  return { low: low === undefined ? undefined : ltRank(low), high: high === undefined ? undefined : ltRank(high) }
}

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
