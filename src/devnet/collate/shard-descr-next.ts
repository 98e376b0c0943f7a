import { type BlockIdExt, SHARD_ALL } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { type FutureSplitMerge, type ShardEntry, shardBlockId, shardEntries } from '../../ton/tlb/shard-hashes.ts'
import { shardChild, shardParent, shardSibling } from '../../ton/tlb/shard-ident.ts'
import { placeOf } from './shard-place.ts'
import { isTimeToMerge, isTimeToSplit } from './split-merge-time.ts'

/** What the next block of a shard has to be. */
export interface NextShardBlock {
  workchain: number
  /** Signed int64. */
  shard: bigint
  /** Its predecessor; the wider shard's after a split, both halves' (left, right) for a merge. */
  prev: readonly BlockIdExt[]
  /** True when the time for the shard's split has come: the block has to say so. */
  before_split: boolean
  /** gen_catchain_seqno */
  catchain_seqno: number
  /** What was announced for this shard; a wish of its own is of no use before it is fsm_none again. */
  plan: FutureSplitMerge
  /** True when a split or merge goes on with this block and waits for it. */
  urgent: boolean
}

const NOTHING: FutureSplitMerge = { _: 'fsm_none' }

const plainBlock = (entry: ShardEntry, now: number): NextShardBlock => {
  const { workchain, shard, descr } = entry
  const before_split = isTimeToSplit(descr.split_merge_at, now)
  return {
    workchain,
    shard,
    prev: [shardBlockId(entry)],
    before_split,
    catchain_seqno: descr.next_catchain_seqno,
    plan: descr.split_merge_at,
    urgent: before_split,
  }
}

const halfBlock = (entry: ShardEntry, right: boolean): NextShardBlock => ({
  workchain: entry.workchain,
  shard: shardChild(entry.shard, right),
  prev: [shardBlockId(entry)],
  before_split: false,
  catchain_seqno: entry.descr.next_catchain_seqno,
  plan: NOTHING,
  urgent: true,
})

const mergedBlock = (left: ShardEntry, right: ShardEntry): NextShardBlock => ({
  workchain: left.workchain,
  shard: shardParent(left.shard),
  prev: [shardBlockId(left), shardBlockId(right)],
  before_split: false,
  catchain_seqno: Math.max(left.descr.next_catchain_seqno, right.descr.next_catchain_seqno) + 1,
  plan: NOTHING,
  urgent: true,
})

/**
 * What the next block of every shard has to be, by the ShardHashes (root cell) of the newest masterchain block and the
 * gen_utime (unix seconds) that it is to have. Two shards that had to merge and whose time for that is over have none: the
 * next masterchain block lets them go on apart. Throws `malformed`.
 */
export const nextShardBlocks = (shard_hashes: Cell | null, now: number): NextShardBlock[] => {
  const entries = [...shardEntries(shard_hashes)]
  const known = new Map(entries.map((entry) => [placeOf(entry), entry]))
  return entries.flatMap((entry) => {
    const { workchain, shard, descr } = entry
    if (descr.before_split) return [halfBlock(entry, false), halfBlock(entry, true)]
    const sibling = shard === SHARD_ALL ? undefined : known.get(placeOf({ workchain, shard: shardSibling(shard) }))
    if (!descr.before_merge || !sibling?.descr.before_merge) return [plainBlock(entry, now)]
    const both = [entry, sibling]
    if (!both.every((half) => isTimeToMerge(half.descr.split_merge_at, now))) return []
    return shardChild(shardParent(shard), false) === shard ? [mergedBlock(entry, sibling)] : []
  })
}
