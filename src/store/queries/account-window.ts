import type { Budget } from './budget.ts'
import { SEEK_COST } from './budget.ts'
import { type RankedSource, rankedFrom } from './ranked.ts'
import { ltRank } from './ranks.ts'
import { placeOf, rowOf, type Source } from './transaction-rows.ts'
import type { Bounds } from './windows.ts'

const ltOf = (ranked: Buffer): bigint => ranked.readBigUInt64BE(0)

/** The lt of the first transaction of which `holds` is true, where it is true of all later ones. */
const firstWhere = (
  { tables }: Source,
  part: RankedSource,
  holds: (now: number) => boolean,
  budget: Budget,
): bigint | undefined => {
  const ends = [rankedFrom(part, 'asc'), rankedFrom(part, 'desc')]
  const [first, last] = ends
  if (!first || !last) return undefined
  let [low, high] = [ltOf(first), ltOf(last)]
  let best: bigint | undefined
  while (low <= high) {
    budget.spend(SEEK_COST)
    const middle = (low + high) >> 1n
    const key = rankedFrom(part, 'asc', ltRank(middle))
    const lt = key && ltOf(key)
    if (!key || lt === undefined || lt > high) high = middle - 1n
    else if (holds(rowOf(tables, placeOf(key)).now)) {
      best = lt
      high = middle - 1n
    } else low = lt + 1n
  }
  return best
}

/**
 * The part of one account's history (ranked keys of lt and place) between two times. The blocks that hold an account
 * follow each other, so its transactions have the same order by time as by lt.
 */
export const historyBetween = (
  source: Source,
  part: RankedSource,
  { start_utime, end_utime }: Pick<Bounds, 'start_utime' | 'end_utime'>,
  budget: Budget,
): RankedSource => {
  const from = start_utime === undefined ? undefined : firstWhere(source, part, (now) => now >= start_utime, budget)
  const until = end_utime === undefined ? undefined : firstWhere(source, part, (now) => now > end_utime, budget)
  return {
    ...part,
    ...(from === undefined ? {} : { low: ltRank(from) }),
    ...(until === undefined ? {} : { high: ltRank(until - 1n) }),
  }
}
