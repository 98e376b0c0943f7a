import type { SortOrder } from '../model/index-records.ts'
import type { Table } from './environment.ts'
import { behind } from './keys.ts'

/** Keys from `from` (inclusive) to `to` (exclusive); open where not given. */
export interface KeyRange {
  from?: Buffer | undefined
  to?: Buffer | undefined
}

/** Every key that begins with `prefix`. */
export const under = (prefix: Buffer): KeyRange => ({ from: prefix, to: behind(prefix) })

const FIRST_CHUNK = 32
const LARGEST_CHUNK = 1024

type RangeOptions = NonNullable<Parameters<Table['getKeys']>[0]>

const optionsOf = (range: KeyRange, sort: SortOrder, after: Buffer | undefined): RangeOptions => {
  const options: RangeOptions = {}
  if (sort === 'asc') {
    const start = after ?? range.from
    if (start) options.start = start
    if (range.to) options.end = range.to
    return after ? { ...options, exclusiveStart: true } : options
  }
  const start = after ?? range.to
  if (start) Object.assign(options, { start, exclusiveStart: true })
  if (range.from) Object.assign(options, { end: range.from, inclusiveEnd: true })
  return { ...options, reverse: true }
}

const isEmpty = ({ from, to }: KeyRange): boolean => from !== undefined && to !== undefined && from.compare(to) >= 0

/** At most `limit` keys of a range, those behind `after` only where it is given; `offset` keys are stepped over. */
export const someKeys = (
  table: Table,
  range: KeyRange,
  sort: SortOrder,
  limit: number,
  { after, offset = 0 }: { after?: Buffer | undefined; offset?: number } = {},
): Buffer[] => (isEmpty(range) ? [] : [...table.getKeys({ ...optionsOf(range, sort, after), limit, offset })])

/** The first key of a range in the given order. */
export const firstKey = (table: Table, range: KeyRange, sort: SortOrder): Buffer | undefined =>
  someKeys(table, range, sort, 1)[0]

/** The keys of a range, read in chunks that grow: nothing stays open between two of them. */
export function* keysIn(table: Table, range: KeyRange, sort: SortOrder): Generator<Buffer> {
  let after: Buffer | undefined
  for (let size = FIRST_CHUNK; ; size = Math.min(size * 2, LARGEST_CHUNK)) {
    const keys = someKeys(table, range, sort, size, { after })
    yield* keys
    if (keys.length < size) return
    after = keys.at(-1)
  }
}
