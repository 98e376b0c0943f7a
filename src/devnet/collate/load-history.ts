import type { Draft } from './draft.ts'
import { noteClass } from './fullness.ts'

/** What a state remembers of how full the last 64 blocks were, and what the shard wants because of it. */
export interface LoadHistory {
  overload_history: bigint
  underload_history: bigint
  want_split: boolean
  want_merge: boolean
}

/** Out-queues that are too long to be split or merged, and one that is long enough to make a shard split. */
const SPLIT_MAX_QUEUE = 100_000
const MERGE_MAX_QUEUE = 2047
const FORCE_SPLIT_QUEUE = 4096

const MASK_64 = (1n << 64n) - 1n

const ones = (history: bigint, from: number): number => {
  let count = 0
  for (let bits = Number((history >> BigInt(from)) & 0xffffn); bits; bits &= bits - 1) count++
  return count
}

/** True when enough of the last 48 blocks are marked, newer ones counting more (node: Collator::history_weight). */
const isHeavy = (history: bigint): boolean =>
  3 * ones(history, 0) + 2 * ones(history, 16) + ones(history, 32) >= ((3 + 2 + 1) * 16 * 2) / 3

const isOverloaded = ({ load_class, dispatch_bound, queue }: Draft): boolean =>
  ((load_class >= 2 || dispatch_bound) && queue.size <= SPLIT_MAX_QUEUE) ||
  (queue.size >= FORCE_SPLIT_QUEUE && queue.size <= SPLIT_MAX_QUEUE)

const isUnderloaded = ({ load_class, dispatch_bound, queue }: Draft): boolean =>
  load_class === 0 && !dispatch_bound && queue.size <= MERGE_MAX_QUEUE

/** The history with this block in it (node: Collator::check_block_overload). */
export const loadHistory = (draft: Draft): LoadHistory => {
  const { previous } = draft
  noteClass(draft)
  const marked = (history: bigint, mark: boolean): bigint => ((history << 1n) & MASK_64) | (mark ? 1n : 0n)
  const overload_history = marked(previous.overload_history, isOverloaded(draft))
  const underload_history = marked(previous.underload_history, isUnderloaded(draft))
  const want_split = isHeavy(overload_history)
  return { overload_history, underload_history, want_split, want_merge: !want_split && isHeavy(underload_history) }
}
