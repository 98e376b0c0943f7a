import type { MasterConfig } from './master-config.ts'
import type { PreviousState } from './previous-state.ts'

/** First logical times of blocks are multiples of this (node: Config::get_lt_align). */
const ALIGN = 1_000_000n

/** The first multiple of the alignment that is not before any of these and not 0 (node: Collator::init_lt). */
export const alignedLt = (...lts: readonly bigint[]): bigint => {
  const last = lts.reduce((a, b) => (a > b ? a : b), 0n)
  const rounded = ((last + ALIGN - 1n) / ALIGN) * ALIGN
  return rounded === 0n ? ALIGN : rounded
}

/** Logical time at which a shard's next block starts. */
export const shardStartLt = ({ state }: MasterConfig, previous: PreviousState): bigint =>
  alignedLt(state.gen_lt, previous.gen_lt)
