import type { DocumentRow } from '../../store/metadata-rows.ts'
import { isLasting } from './failures.ts'
import type { FetchResult } from './fetch-uri.ts'

const MAX_RETRIES = 5
const FIRST_RETRY_S = 5
const LONGEST_RETRY_S = 300
const FRESH_S = 7 * 86_400

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
