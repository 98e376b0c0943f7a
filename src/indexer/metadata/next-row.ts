import type { DocumentRow } from '../../store/metadata-rows.ts'
import { isLasting } from './failures.ts'
import type { FetchResult } from './fetch-uri.ts'

const MAX_RETRIES = 5
const FIRST_RETRY_S = 5
const LONGEST_RETRY_S = 300
const FRESH_S = 7 * 86_400

/** Seconds from now beyond which no row's time is: one that is further away was written by a clock that was ahead. */
export const FURTHEST_NEXT_S = 2 * FRESH_S

/** Whether a document is to be had anew at `now` (unix seconds), also by a clock that was set back since. */
export const isDue = ({ next }: Pick<DocumentRow, 'next'>, now: number): boolean =>
  next <= now || next > now + FURTHEST_NEXT_S

/**
 * The row of a URI after a try. One that failed is tried again after a while, five times; a document that was had before
 * is kept then, until it can be had again.
 * @param now unix seconds
 */
export const rowAfter = (
  uri: string,
  before: DocumentRow | undefined,
  result: FetchResult,
  now: number,
): DocumentRow => {
  if (result._ === 'ready') return { uri, document: result, failures: 0, next: now + FRESH_S }
  const failures = (before?.failures ?? 0) + 1
  const document = before?.document ?? null
  if (failures > MAX_RETRIES || isLasting(result.failure))
    return { uri, document: document ?? { _: 'failed' }, failures: 0, next: now + FRESH_S }
  return { uri, document, failures, next: now + Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** (failures - 1)) }
}
