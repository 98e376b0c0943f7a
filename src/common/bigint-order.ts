/** The greater of two bigints (Math.max takes none). */
export const greater = (a: bigint, b: bigint): bigint => {
  if (a > b) return a
  return b
}

/** The lesser of two bigints (Math.min takes none). */
export const lesser = (a: bigint, b: bigint): bigint => {
  if (a < b) return a
  return b
}

/** Compares bigints for `sort`, ascending. */
export const compareBigints = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
