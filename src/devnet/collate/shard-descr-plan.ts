import { SHARD_ALL } from '../../ton/block-id.ts'
import { Slice } from '../../ton/slice.ts'
import {
  buildShardDescrFees,
  type FutureSplitMerge,
  type ShardDescr,
  type ShardEntry,
  shardDescrFees,
} from '../../ton/tlb/shard-hashes.ts'
import { shardPrefixLength, shardSibling } from '../../ton/tlb/shard-ident.ts'
import type { WorkchainDescr } from '../../ton/tlb/workchain-descr.ts'
import { placeOf } from './shard-place.ts'

/** What decides how the shards go on after a masterchain block. */
export interface ShardRules {
  /** gen_utime of the masterchain block, unix seconds. */
  now: number
  /** Configuration parameter 12 as it is after the block. */
  workchains: ReadonlyMap<number, WorkchainDescr>
  /** True when the validators of every shard change: the catchain seqnos go up. */
  rotate: boolean
}

/** A prefix is never longer. */
const MAX_DEPTH = 60
/** Delay and duration of a split or merge where the configuration does not tell them, seconds. */
const DEFAULT_DELAY = 100
const DEFAULT_INTERVAL = 100

const NONE: FutureSplitMerge = { _: 'fsm_none' }

/** End of the time in which a planned split or merge may happen. */
const endOf = (plan: FutureSplitMerge): number => {
  if (plan._ === 'fsm_none') return 0
  return (plan._ === 'fsm_split' ? plan.split_utime : plan.merge_utime) + plan.interval
}

const isPlanned = ({ split_merge_at }: ShardDescr): boolean => split_merge_at._ !== 'fsm_none'

const hasBegun = ({ split_merge_at }: ShardDescr, now: number): boolean =>
  split_merge_at._ === 'fsm_merge' && now >= split_merge_at.merge_utime

/** What was planned and can still happen. */
const standingPlan = (descr: ShardDescr, sibling: ShardDescr | undefined, now: number): FutureSplitMerge => {
  const plan = descr.split_merge_at
  if (plan._ === 'fsm_none') return plan
  if (now >= endOf(plan) || descr.before_split) return NONE
  return plan._ === 'fsm_merge' && (!sibling || sibling.before_split) ? NONE : plan
}

interface Step {
  split_merge_at: FutureSplitMerge
  before_merge: boolean
}

const planned = (
  descr: ShardDescr,
  depth: number,
  sibling: ShardDescr | undefined,
  { min_split, max_split, split_merge_timings }: WorkchainDescr,
  now: number,
): Step => {
  const stay = { split_merge_at: descr.split_merge_at, before_merge: false }
  const interval = split_merge_timings?.split_merge_interval ?? DEFAULT_INTERVAL
  const from = now + (split_merge_timings?.split_merge_delay ?? DEFAULT_DELAY)
  const free = !isPlanned(descr)
  const tooNarrow = depth > max_split
  if (free && (descr.want_split || depth < min_split) && depth < max_split && depth < MAX_DEPTH)
    return { ...stay, split_merge_at: { _: 'fsm_split', split_utime: from, interval } }
  if (depth <= min_split || !sibling || sibling.before_split) return stay
  const bothWant = tooNarrow || (descr.want_merge && sibling.want_merge)
  if (free && bothWant && !isPlanned(sibling))
    return { ...stay, split_merge_at: { _: 'fsm_merge', merge_utime: from, interval } }
  return { ...stay, before_merge: bothWant && hasBegun(descr, now) && hasBegun(sibling, now) }
}

const advanced = (
  { workchain, shard, descr }: ShardEntry,
  sibling: ShardDescr | undefined,
  { now, workchains, rotate }: ShardRules,
): ShardDescr => {
  const standing = { ...descr, split_merge_at: standingPlan(descr, sibling, now) }
  const rules = workchains.get(workchain)
  const step =
    rules && !descr.before_split
      ? planned(standing, shardPrefixLength(shard), sibling, rules, now)
      : { split_merge_at: standing.split_merge_at, before_merge: false }
  const another = rotate || (descr.before_merge && !step.before_merge)
  const changed = another || step.before_merge || descr.before_merge || step.split_merge_at !== descr.split_merge_at
  if (!changed) return descr
  return {
    ...descr,
    ...step,
    _: 'shard_descr_new',
    fees: descr.fees instanceof Slice ? buildShardDescrFees(shardDescrFees(descr)) : descr.fees,
    nx_cc_updated: false,
    flags: 0,
    next_catchain_seqno: descr.next_catchain_seqno + Number(another),
  }
}

/**
 * How the shards go on after a masterchain block that has taken in their newest blocks: splits and merges are planned where
 * a shard wants one or the configuration asks for it, given up when their time is over, and a merge whose time has come is
 * ordered (`before_merge`); with `rotate` the catchain seqnos go up. As the node's collator does it.
 */
export const planShards = (entries: readonly ShardEntry[], rules: ShardRules): ShardEntry[] => {
  const known = new Map(entries.map((entry) => [placeOf(entry), entry.descr]))
  const siblingOf = ({ workchain, shard }: ShardEntry): ShardDescr | undefined =>
    shard === SHARD_ALL ? undefined : known.get(placeOf({ workchain, shard: shardSibling(shard) }))
  return entries.map((entry) => ({ ...entry, descr: advanced(entry, siblingOf(entry), rules) }))
}
