import type { Entry } from './entries.ts'
import { NO_VALUE, type Tables } from './tables.ts'

/** Table by table in the order of the keys: neighbours are then written into the same pages, one after the other. */
export const sorted = (entries: Entry[]): Entry[] =>
  entries.sort(([a, x], [b, y]) => (a === b ? x.compare(y) : a < b ? -1 : 1))

export const putEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].putSync(key, NO_VALUE)
}

export const removeEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].removeSync(key)
}
