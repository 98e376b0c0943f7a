import { TonlithError } from '../../common/errors.ts'
import type { Steps } from '../../common/steps.ts'
import type { Listed, Page } from '../../model/index-records.ts'
import { type Budget, createBudget } from './budget.ts'

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
  /** The keys in the order of the list, from the group of `start` on where it is given; asked for anew in each turn. */
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

/** Where a list is read from. */
type Place = Pick<Page, 'offset' | 'after'>

/** Keys of a page as far as one turn brings them. */
interface Part {
  keys: Buffer[]
  /** The cursor for the next page, once the page is whole. */
  next: Buffer | null
  /** Where the rest of the page begins; undefined when it is whole. */
  rest: Place | undefined
}

const partOfKeys = (list: KeyList, limit: number, { offset, after }: Place, budget: Budget): Part => {
  const skipped = !after && offset > 0 ? list.skip?.(offset) : undefined
  const rank = after?.subarray(0, list.rankSize)
  const all = skipped ?? list.from(rank)
  const found = after && rank ? behindCursor(all, after, (key) => !key.subarray(0, list.rankSize).equals(rank)) : all
  let left = skipped ? 0 : offset
  const keys: Buffer[] = []
  for (const key of found) {
    if (list.accepts(key) && left-- <= 0) {
      keys.push(key)
      if (keys.length >= limit) return { keys, next: Buffer.from(key), rest: undefined }
    }
    if (budget.isTurnOver()) return { keys, next: null, rest: { offset: Math.max(0, left), after: Buffer.from(key) } }
  }
  return { keys, next: null, rest: undefined }
}

/** The pages of one list in one order. The steps of a page throw `invalid` for a cursor of another list. */
export type Pages<T> = (page: Omit<Page, 'sort'>) => Steps<Listed<T>>

/**
 * Pages of a list that is opened with the first of them. Between two steps the index may be written to: what is kept of
 * the list must be of use then, and `read` is given the keys of one turn in that turn.
 */
export const pagesOf = <T>(
  open: (budget: Budget) => KeyList | Steps<KeyList>,
  read: (keys: Buffer[]) => T[],
): Pages<T> => {
  const budget = createBudget()
  let list: KeyList | undefined
  return function* ({ limit, offset, after }) {
    budget.renew()
    if (!list) {
      const opened = open(budget)
      list = 'accepts' in opened ? opened : yield* opened
    }
    if (after && !isKeyOf(list, after)) throw new TonlithError('invalid', 'the cursor is not of this list')
    const records: T[] = []
    let place: Place = { offset, after }
    for (let left = limit; ; ) {
      const { keys, next, rest } = partOfKeys(list, left, place, budget)
      records.push(...read(keys))
      if (!rest) return { records, next }
      left -= keys.length
      place = rest
      yield
    }
  }
}
