/** First logical times of blocks are multiples of this (node: Config::get_lt_align). */
const ALIGN = 1_000_000n

/** The later of two logical times. */
export const laterLt = (a: bigint, b: bigint): bigint => {
  if (a < b) return b
  return a
}

/** The first multiple of the alignment that is not before this and not 0 (node: Collator::init_lt). */
export const alignedLt = (lt: bigint): bigint => {
  const rounded = ((lt + ALIGN - 1n) / ALIGN) * ALIGN
  return rounded === 0n ? ALIGN : rounded
}
