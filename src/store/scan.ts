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

/** What LMDB takes beyond what its types name. */
type Options = RangeOptions & { exclusiveStart?: boolean; inclusiveEnd?: boolean }

const optionsOf = ({ from, to }: KeyRange, sort: SortOrder, after: Buffer | undefined): Options => {
  const options: Options = {}
  if (sort === 'asc') {
    const start = after ?? from
    if (start) options.start = start
    if (to) options.end = to
    if (after) options.exclusiveStart = true
    return options
  }
  options.reverse = true
  const start = after ?? to
  if (start) {
    options.start = start
    options.exclusiveStart = true
  }
  if (from) {
    options.end = from
    options.inclusiveEnd = true
  }
  return options
}

const isEmpty = ({ from, to }: KeyRange): boolean => from !== undefined && to !== undefined && from.compare(to) >= 0

/** At most `limit` keys of a range, those behind `after` only where it is given; `offset` keys are stepped over. */
export const someKeys = (
  table: Table,
  range: KeyRange,
  sort: SortOrder,
  limit: number,
  { after, offset = 0 }: { after?: Buffer | undefined; offset?: number } = {},
): Buffer[] => {
  const keys: Buffer[] = []
  if (isEmpty(range)) return keys
  const options = optionsOf(range, sort, after)
  options.limit = limit
  options.offset = offset
  for (const key of table.getKeys(options)) keys.push(key)
  return keys
}

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
