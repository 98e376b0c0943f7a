import { TonlithError } from '../../common/errors.ts'
import type { Listed, Page } from '../../model/index-records.ts'

/** Leaves out what stands up to the cursor: where it is gone, what `isBehind` denies. */
function* behindCursor(keys: Iterable<Buffer>, cursor: Buffer, isBehind: (key: Buffer) => boolean): Generator<Buffer> {
  const skipped: Buffer[] = []
  let passed = false
  for (const key of keys) {
    if (passed) yield key
    else if (key.equals(cursor)) passed = true
    else if (isBehind(key)) {
      passed = true
      yield* skipped.filter((other) => other.compare(cursor) > 0)
      yield key
    } else skipped.push(key)
  }
}

/** True for a list of a filter that asks for something. */
export const isGiven = <T>(list: readonly T[] | undefined): list is readonly [T, ...T[]] =>
  list !== undefined && list.length > 0

/** A list of keys from which pages are cut. */
export interface KeyList {
  /** The keys in the order of the list, from the group of `start` on where it is given. */
  from(start: Buffer | undefined): Iterable<Buffer>
  /** Bytes in front that decide the order; keys that have them in common stand together. */
  rankSize: number
  keySize: number
  /** True where keys may be shorter than `keySize`. */
  varies?: boolean | undefined
  /** Whether a key belongs to the list. */
  accepts(key: Buffer): boolean
  /** The list from its record at `offset` on, found without reading those before; undefined where that cannot be done. */
  skip?: ((offset: number) => Iterable<Buffer> | undefined) | undefined
}

const isKeyOf = ({ keySize, varies }: KeyList, cursor: Buffer): boolean =>
  varies ? cursor.length <= keySize : cursor.length === keySize

/** The keys of one page, and the cursor for the next. Throws `invalid` for a cursor of another list. */
export const pageOfKeys = (list: KeyList, { limit, offset, after }: Omit<Page, 'sort'>): Listed<Buffer> => {
  if (after && !isKeyOf(list, after)) throw new TonlithError('invalid', 'the cursor is not of this list')
  const skipped = !after && offset > 0 ? list.skip?.(offset) : undefined
  const rank = after?.subarray(0, list.rankSize)
  const all = skipped ?? list.from(rank)
  const keys = after && rank ? behindCursor(all, after, (key) => !key.subarray(0, list.rankSize).equals(rank)) : all
  let left = skipped ? 0 : offset
  const records: Buffer[] = []
  for (const key of keys) {
    if (!list.accepts(key)) continue
    if (left-- > 0) continue
    records.push(key)
    if (records.length >= limit) return { records, next: Buffer.from(key) }
  }
  return { records, next: null }
}
