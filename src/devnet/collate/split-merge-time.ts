import type { FutureSplitMerge } from '../../ton/tlb/shard-hashes.ts'

const isWithin = (utime: number, from: number, interval: number): boolean => utime >= from && utime < from + interval

/** True when the plan lets the shard split in a block of this time (unix seconds). */
export const isTimeToSplit = (plan: FutureSplitMerge, utime: number): boolean =>
  plan._ === 'fsm_split' && isWithin(utime, plan.split_utime, plan.interval)

/** True when the plan lets the shard merge in a block of this time (unix seconds). */
export const isTimeToMerge = (plan: FutureSplitMerge, utime: number): boolean =>
  plan._ === 'fsm_merge' && isWithin(utime, plan.merge_utime, plan.interval)
