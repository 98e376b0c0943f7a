import { compareBytes } from '../common/compare-bytes.ts'
import type { Entry } from './entries.ts'
import { NO_VALUE, type Tables } from './tables.ts'

/** Table by table in the order of the keys: neighbours are then written into the same pages, one after the other. */
export const sorted = (entries: readonly Entry[]): Entry[] => {
  const byTable = Map.groupBy(entries, (entry) => entry[0])
  return [...byTable.values()].flatMap((some) => some.sort((a, b) => compareBytes(a[1], b[1])))
}

export const putEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].putSync(key, NO_VALUE)
}

export const removeEntries = (tables: Tables, entries: Iterable<Entry>): void => {
  for (const [table, key] of entries) tables[table].removeSync(key)
}
