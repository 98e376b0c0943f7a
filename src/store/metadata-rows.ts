import { hash } from 'node:crypto'
import type { FetchedDocument } from '../model/token-info.ts'
import { u32Key } from './keys.ts'
import type { MetadataStore } from './metadata-store.ts'
import { NO_VALUE } from './tables.ts'

/** What is known of a URI. */
export interface DocumentRow {
  uri: string
  /** What it led to when it was fetched last; null: it never was, yet. */
  document: FetchedDocument | null
  /** Tries that failed since then; 0: it is settled. */
  failures: number
  /** Unix seconds: from then on it is tried again or, when it is settled, fetched anew. */
  next: number
}

type Tables = Pick<MetadataStore, 'tables'>

const TIME_BYTES = 4

const keyOf = (uri: string): Buffer => hash('sha256', uri, 'buffer')

/** A row that cannot be read is as good as none: it is fetched again. */
const decode = (bytes: Buffer): DocumentRow | undefined => {
  try {
    return JSON.parse(bytes.toString()) as DocumentRow
  } catch {
    return undefined
  }
}

/** The row of a URI. */
export const readDocument = ({ tables }: Tables, uri: string): DocumentRow | undefined => {
  const bytes = tables.documents.get(keyOf(uri))
  return bytes && decode(bytes)
}

/** Rows that are to be tried again stand in one table by time, settled ones in the other. */
const entryOf = ({ tables }: Tables, row: DocumentRow) => ({
  table: row.failures > 0 ? tables.retries : tables.expiry,
  key: u32Key(row.next, keyOf(row.uri)),
})

const removeEntry = (store: Tables, row: DocumentRow | undefined): void => {
  if (!row) return
  const { table, key } = entryOf(store, row)
  table.removeSync(key)
}

/** Writes rows in place of those that their URIs had. Throws as Environment.transaction does. */
export const writeDocuments = (store: MetadataStore, rows: readonly DocumentRow[]): void =>
  store.transaction(() => {
    for (const row of rows) {
      removeEntry(store, readDocument(store, row.uri))
      const { table, key } = entryOf(store, row)
      table.putSync(key, NO_VALUE)
      store.tables.documents.putSync(keyOf(row.uri), Buffer.from(JSON.stringify(row)))
    }
  })

const LAST_TIME = 0xffffffff

/**
 * URIs that are to be tried again at `now` (unix seconds), the longest due first, at most `limit`; then those whose time
 * is more than `furthest` seconds away.
 */
export const dueDocuments = ({ tables }: Tables, now: number, limit: number, furthest: number): string[] => {
  const uris: string[] = []
  const due = tables.retries.getKeys({ end: u32Key(now + 1), limit })
  const astray = tables.retries.getKeys({ start: u32Key(Math.min(LAST_TIME, now + furthest + 1)), limit })
  for (const key of [...due, ...astray].slice(0, limit)) {
    const bytes = tables.documents.get(key.subarray(TIME_BYTES))
    const row = bytes && decode(bytes)
    if (row) uris.push(row.uri)
  }
  return uris
}

/**
 * Removes settled rows whose time was up before `before` (unix seconds), the oldest first, at most `limit`; gives how
 * many. Throws as Environment.transaction does.
 */
export const removeDocuments = (store: MetadataStore, before: number, limit: number): number => {
  const { expiry, documents } = store.tables
  const keys = [...expiry.getKeys({ end: u32Key(before), limit })].map((key) => Buffer.from(key))
  if (keys.length === 0) return 0
  return store.transaction(() => {
    for (const key of keys) {
      expiry.removeSync(key)
      documents.removeSync(key.subarray(TIME_BYTES))
    }
    return keys.length
  })
}
