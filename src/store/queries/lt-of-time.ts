import type { SeqnoRange, SortOrder } from '../../model/index-records.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { shardParent, shardSibling } from '../../ton/tlb/shard-ident.ts'
import { hasScope } from '../index-scope.ts'
import { behind, MAX_U64, readBlockKey } from '../keys.ts'
import { newestRange, rangeAt } from '../ranges.ts'
import { keysIn } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { TIME_SIZE, timeRank } from './ranks.ts'
import { blockAt, masterchainBlockAt, type StoredBlock } from './stored-block.ts'

/**
 * Times turned into lt by what is stored of blocks. The blocks of a shard follow each other in time and in lt: of each
 * shard the block that is next to a time decides, and of these the one that goes farthest.
 */

/** How far, in seconds, a block may be from the masterchain block that commits it. */
export const SLACK_SECONDS = 900

/** Blocks that are looked through for one of each shard. */
const MOST_BLOCKS = 2000

interface Shard {
  workchain: number
  shard: bigint
}

const nameOf = ({ workchain, shard }: Shard): string => `${workchain}:${shard}`

/** Which parts of the workchains were seen. */
const createCover = () => {
  const seen = new Set<string>()
  return {
    add: ({ workchain, shard }: Shard): void => {
      let at = shard
      seen.add(nameOf({ workchain, shard: at }))
      while (at !== SHARD_ALL && seen.has(nameOf({ workchain, shard: shardSibling(at) }))) {
        at = shardParent(at)
        seen.add(nameOf({ workchain, shard: at }))
      }
    },
    holds: ({ workchain, shard }: Shard): boolean => {
      for (let at = shard; ; at = shardParent(at)) {
        if (seen.has(nameOf({ workchain, shard: at }))) return true
        if (at === SHARD_ALL) return false
      }
    },
    isWhole: (): boolean => [MASTERCHAIN, 0].every((workchain) => seen.has(nameOf({ workchain, shard: SHARD_ALL }))),
  }
}

/**
 * Of each shard the first stored block from a time on, or the last one up to it in descending order; undefined where they
 * are not found among MOST_BLOCKS. Blocks of the same second may stand in any order, so that none hides another.
 */
const nextBlocks = (tables: Tables, utime: number, sort: SortOrder): StoredBlock[] | undefined => {
  const cover = createCover()
  const blocks: StoredBlock[] = []
  let fresh: StoredBlock[] = []
  let [time, looked] = [utime, 0]
  const range = sort === 'asc' ? { from: timeRank(utime) } : { to: behind(timeRank(utime)) }
  for (const key of keysIn(tables.blocks_by_utime, range, sort)) {
    const at = readBlockKey(key, TIME_SIZE)
    if (key.readUInt32BE(0) !== time) {
      for (const block of fresh) cover.add(block)
      if (cover.isWhole()) return blocks
      fresh = []
      time = key.readUInt32BE(0)
    }
    if (looked++ >= MOST_BLOCKS) return undefined
    if (cover.holds(at) || fresh.some((block) => nameOf(block) === nameOf(at))) continue
    const block = blockAt(tables, key.subarray(TIME_SIZE))
    if (!block) continue
    fresh.push(block)
    blocks.push(block)
  }
  return blocks
}

/** The range of masterchain blocks that commits all of some blocks. */
const rangeOf = (tables: Tables, [first, ...others]: readonly StoredBlock[]): SeqnoRange | undefined => {
  const range = first && rangeAt(tables, first.row.mc_seqno)
  return range && others.every(({ row }) => row.mc_seqno >= range.first && row.mc_seqno <= range.last)
    ? range
    : undefined
}

const utimeOf = (tables: Tables, seqno: number): number | undefined => masterchainBlockAt(tables, seqno)?.info.gen_utime

/**
 * The lowest lt of what happened at `utime` (seconds) or later; undefined where that does not follow from what is stored:
 * an index of chosen accounts has not all blocks, and what it lacks before its begin or in a gap may have a lower one.
 */
export const ltSince = (tables: Tables, utime: number): bigint | undefined => {
  const blocks = hasScope(tables) ? undefined : nextBlocks(tables, utime, 'asc')
  if (!blocks) return undefined
  let lowest = MAX_U64
  if (blocks.length === 0) return lowest
  const range = rangeOf(tables, blocks)
  const begin = range && range.first > 1 ? utimeOf(tables, range.first) : 0
  if (!range || begin === undefined || begin > utime - SLACK_SECONDS) return undefined
  for (const { info } of blocks) if (info.start_lt < lowest) lowest = info.start_lt
  return lowest
}

/** The highest lt of what happened at `utime` (seconds) or earlier; undefined as with ltSince, and where more may follow. */
export const ltUntil = (tables: Tables, utime: number): bigint | undefined => {
  const blocks = hasScope(tables) ? undefined : nextBlocks(tables, utime, 'desc')
  const range = blocks && rangeOf(tables, blocks)
  if (!range) return undefined
  const end = utimeOf(tables, range.last)
  const needed = range.last === newestRange(tables)?.last ? utime + 1 : utime + SLACK_SECONDS
  if (end === undefined || end < needed) return undefined
  let highest = 0n
  for (const { info } of blocks) if (info.end_lt > highest) highest = info.end_lt
  return highest
}
