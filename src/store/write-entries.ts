import type { Entry } from './entries.ts'
import { NO_VALUE, type Tables } from './tables.ts'

export const putEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].putSync(key, NO_VALUE)
}

export const removeEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].removeSync(key)
}
