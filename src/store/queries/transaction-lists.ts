import type { SortOrder } from '../../model/index-records.ts'
import { TRANSACTION_KEY_SIZE } from '../keys.ts'
import type { Budget } from './budget.ts'
import type { KeyList } from './paging.ts'
import { arranged, type RankedSource, rankedAt, rankedKeys } from './ranked.ts'
import { byAccount, type Source } from './transaction-rows.ts'

/** Whether a transaction, by its ranked key, belongs to a list. */
export type Accepts = (ranked: Buffer) => boolean

/** The list of one part of an index: its records can be stepped over without being read. */
export const indexed = (
  source: Source,
  part: RankedSource,
  sort: SortOrder,
  rankSize: number,
  accepts: Accepts | undefined,
  budget: Budget,
): KeyList => {
  const from = (start: Buffer | undefined): Iterable<Buffer> =>
    arranged(rankedKeys(part, sort, budget, start), rankSize, byAccount(source))
  const skip = function* (offset: number): Generator<Buffer> {
    const found = rankedAt(part, sort, offset)
    if (!found) return
    let left = 0
    for (const key of rankedKeys(part, sort, budget, found.subarray(0, rankSize))) {
      if (key.equals(found)) break
      left++
    }
    for (const key of from(found.subarray(0, rankSize))) if (left-- <= 0) yield key
  }
  return {
    from,
    rankSize,
    keySize: rankSize + TRANSACTION_KEY_SIZE,
    accepts: accepts ?? (() => true),
    skip: accepts ? undefined : skip,
  }
}
