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

/** How many rows are looked at for one page, at most: a page of a rare kind may hold fewer items than its limit. */
const MAX_LOOKED_AT = 10_000

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
  let looked = 0
  let last: string | null = null
  // A reversed range begins behind its start, which is the last of the page before, or the first key of another owner.
  for (const key of table.getKeys({ ...(start && { start }), end, reverse: true })) {
    if (start && key.equals(start)) continue
    if (items.length === limit || looked === MAX_LOOKED_AT) return { items, next: last }
    looked++
    last = lastUlid(key)
    const item = read(last)
    if (item !== undefined) items.push(item)
  }
  return { items, next: null }
}
