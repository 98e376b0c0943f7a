import type { SortOrder } from '../../model/index-records.ts'
import type { Table } from '../environment.ts'
import { behind } from '../keys.ts'
import { firstKey, type KeyRange, keysIn, someKeys } from '../scan.ts'
import type { Budget } from './budget.ts'

/**
 * A ranked key is what follows the prefix of an index key: the values that order a list, then the place of the row.
 * Indexes of one kind of row have ranked keys of one form, so that their lists can be merged and intersected.
 */

/** Part of an index: the keys that begin with `prefix`, their ranks from `low` to `high`, both inclusive. */
export interface RankedSource {
  table: Table
  prefix: Buffer
  low?: Buffer | undefined
  high?: Buffer | undefined
}

const join = (prefix: Buffer, rest: Buffer | undefined): Buffer => (rest ? Buffer.concat([prefix, rest]) : prefix)

/** The keys of a source, from `start` (a ranked key or its beginning, inclusive) on in the given order. */
const rangeOf = ({ prefix, low, high }: RankedSource, sort: SortOrder, start?: Buffer): KeyRange => {
  const range = { from: join(prefix, low), to: behind(join(prefix, high)) }
  if (!start) return range
  const key = join(prefix, start)
  if (sort === 'asc') return { ...range, from: key.compare(range.from) > 0 ? key : range.from }
  const to = behind(key)
  return { ...range, to: to && (!range.to || to.compare(range.to) < 0) ? to : range.to }
}

/** The ranked keys of a source, from `start` (inclusive, a ranked key or its beginning) on. */
export function* rankedKeys(source: RankedSource, sort: SortOrder, budget: Budget, start?: Buffer): Generator<Buffer> {
  const { length } = source.prefix
  for (const key of keysIn(source.table, rangeOf(source, sort, start), sort)) {
    budget.spend(1)
    yield length === 0 ? key : key.subarray(length)
  }
}

/** The ranked key at `offset` in a source, found without looking at those before. */
export const rankedAt = (source: RankedSource, sort: SortOrder, offset: number): Buffer | undefined =>
  someKeys(source.table, rangeOf(source, sort), sort, 1, { offset })[0]?.subarray(source.prefix.length)

/** The first ranked key of a source, from `start` (inclusive, a ranked key or its beginning) on. */
export const rankedFrom = (source: RankedSource, sort: SortOrder, start?: Buffer): Buffer | undefined =>
  firstKey(source.table, rangeOf(source, sort, start), sort)?.subarray(source.prefix.length)

/** True when `a` stands before `b` in the given order. */
export const precedes = (a: Buffer, b: Buffer, sort: SortOrder): boolean =>
  sort === 'asc' ? a.compare(b) < 0 : a.compare(b) > 0

/** Compares keys for the given order. */
export const inOrderOf =
  (sort: SortOrder) =>
  (a: Buffer, b: Buffer): number =>
    sort === 'asc' ? a.compare(b) : b.compare(a)

/** The keys of one source as a list that can begin anywhere. */
export const rankedList = (source: RankedSource, sort: SortOrder, budget: Budget) => {
  const from = (start: Buffer | undefined): Iterable<Buffer> => rankedKeys(source, sort, budget, start)
  const skip = (offset: number): Iterable<Buffer> => {
    const found = rankedAt(source, sort, offset)
    return found ? from(found) : []
  }
  return { from, skip }
}

const successor = (key: Buffer): Buffer => Buffer.concat([key, Buffer.alloc(1)])

/** The last key in descending order that stands behind `key`, as a bound: all keys of one source have one length. */
const predecessor = (key: Buffer): Buffer | undefined => {
  let at = key.length - 1
  while (at >= 0 && key[at] === 0) at--
  if (at < 0) return undefined
  const result = Buffer.from(key)
  result[at]!--
  return result.fill(0xff, at + 1)
}

const MOST_AHEAD = 64

/**
 * Gives the first key of a source from a place on: places are asked for in the order of the list, the first of them maybe
 * by its beginning. As long as most of what was read ahead is asked for, more is.
 */
const seeker = (source: RankedSource, sort: SortOrder) => {
  let ahead: Buffer[] = []
  let [at, size, met] = [0, 1, 0]
  return (wanted: Buffer | undefined): Buffer | undefined => {
    const from = at
    while (at < ahead.length && wanted && precedes(ahead[at]!, wanted, sort)) at++
    if (at > from && at < ahead.length) met++
    if (at < ahead.length) return ahead[at]
    size = 2 * met > size ? Math.min(2 * size, MOST_AHEAD) : 1
    ahead = someKeys(source.table, rangeOf(source, sort, wanted), sort, size).map((key) =>
      key.subarray(source.prefix.length),
    )
    ;[at, met] = [0, 1]
    return ahead[0]
  }
}

/** The ranked keys that all sources have: each source leaps to where the others are. */
export function* rankedInAll(
  sources: readonly RankedSource[],
  sort: SortOrder,
  budget: Budget,
  start?: Buffer,
): Generator<Buffer> {
  if (sources.length === 1) return yield* rankedKeys(sources[0]!, sort, budget, start)
  const seekers = sources.map((source) => seeker(source, sort))
  let wanted = start
  for (let agreed = 0, i = 0; ; i = (i + 1) % sources.length) {
    budget.spend(2)
    const found = seekers[i]!(wanted)
    if (!found) return
    agreed = wanted?.equals(found) ? agreed + 1 : 1
    wanted = found
    if (agreed < sources.length) continue
    yield found
    wanted = sort === 'asc' ? successor(found) : predecessor(found)
    if (!wanted) return
    agreed = 0
  }
}

/** Merges lists that are in the given order; equal keys come once. */
export function* merged(lists: readonly Iterator<Buffer>[], sort: SortOrder): Generator<Buffer> {
  const heap: { key: Buffer; list: Iterator<Buffer> }[] = []
  const before = (a: number, b: number): boolean => precedes(heap[a]!.key, heap[b]!.key, sort)
  const swap = (a: number, b: number): void => {
    const kept = heap[a]!
    heap[a] = heap[b]!
    heap[b] = kept
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let first = at
      if (left < heap.length && before(left, first)) first = left
      if (right < heap.length && before(right, first)) first = right
      if (first === at) return
      swap(at, first)
      at = first
    }
  }
  for (const list of lists) {
    const next = list.next()
    if (next.done) continue
    heap.push({ key: next.value, list })
    for (let at = heap.length - 1; at > 0 && before(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1)
  }
  let last: Buffer | undefined
  while (heap.length > 0) {
    const top = heap[0]!
    if (!last?.equals(top.key)) yield top.key
    last = top.key
    const next = top.list.next()
    if (next.done) {
      const end = heap.pop()!
      if (heap.length > 0) heap[0] = end
    } else top.key = next.value
    sink()
  }
}

/** Leaves out the keys of which the rank stands before `start`, in a list that is in the given order. */
export function* since(keys: Iterable<Buffer>, start: Buffer | undefined, sort: SortOrder): Generator<Buffer> {
  for (const key of keys) if (!start || !precedes(key.subarray(0, start.length), start, sort)) yield key
}

/** Puts keys of equal rank (their first `rankSize` bytes), which stand together, into the order of `arrange`. */
export function* arranged(
  keys: Iterable<Buffer>,
  rankSize: number,
  arrange: (group: Buffer[]) => Buffer[],
): Generator<Buffer> {
  let group: Buffer[] = []
  for (const key of keys) {
    if (group.length > 0 && key.compare(group[0]!, 0, rankSize, 0, rankSize) !== 0) {
      yield* group.length > 1 ? arrange(group) : group
      group = []
    }
    group.push(key)
  }
  yield* group.length > 1 ? arrange(group) : group
}
