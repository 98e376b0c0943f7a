import { nextTurn } from '../../common/next-turn.ts'
import { bytesOfUlid } from '../../common/ulid.ts'
import type { Table } from '../environment.ts'
import { behind } from '../keys.ts'
import { lastUlid } from './keys.ts'

/** Which part of a list is wanted. */
export interface PageRequest {
  /** The ULID that the page before ended with; left out for the first page. */
  before?: string
  /** A ULID: only greater ones are wanted. */
  after?: string
  limit: number
}

/** A page of a list; `next` is the `before` of the page after it, null where there is none. */
export interface ListPage<T> {
  items: T[]
  next: string | null
}

/** How many rows that are not wanted are looked at in one go: a page of a rare kind may hold fewer items than its limit. */
const MAX_PASSED = 250
/** How often it is looked further for a full page. */
const MAX_TURNS = 40

/**
 * A page of a table whose keys are the ULID `owner` and another one, the newest first.
 * @param read gives the row of a ULID, or undefined for one that is not wanted
 */
export const newestFirst = <T>(
  table: Table,
  owner: string,
  { before, after, limit }: PageRequest,
  read: (ulid: string) => T | undefined,
): ListPage<T> => {
  const prefix = bytesOfUlid(owner)
  const start = before === undefined ? behind(prefix) : Buffer.concat([prefix, bytesOfUlid(before)])
  const end = after === undefined ? prefix : Buffer.concat([prefix, bytesOfUlid(after)])
  const items: T[] = []
  let passed = 0
  let last: string | null = null
  // A reversed range begins behind its start, which is the last of the page before, or the first key of another owner.
  for (const key of table.getKeys({ ...(start && { start }), end, reverse: true })) {
    if (start && key.equals(start)) continue
    if (items.length === limit || passed === MAX_PASSED) return { items, next: last }
    last = lastUlid(key)
    const item = read(last)
    if (item === undefined) passed++
    else items.push(item)
  }
  return { items, next: null }
}

/**
 * A page of which only wanted rows are read, however rare they are among the others: it is looked further in turns of the
 * event loop until the page is full. After very many rows it may hold fewer items all the same.
 * @param list gives a part of it
 */
export const fullPage = async <T, R extends PageRequest>(
  request: R,
  list: (request: R) => ListPage<T>,
): Promise<ListPage<T>> => {
  const page = list(request)
  for (let turn = 1; turn < MAX_TURNS && page.next !== null && page.items.length < request.limit; turn++) {
    await nextTurn()
    const more = list({ ...request, before: page.next, limit: request.limit - page.items.length })
    page.items.push(...more.items)
    page.next = more.next
  }
  return page
}
