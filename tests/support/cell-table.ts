import type { CellTable } from '../../src/store/account-cells.ts'

/** A table of cells in memory, and its rows. */
export const cellTable = (): { table: CellTable; rows: Map<string, Buffer> } => {
  const rows = new Map<string, Buffer>()
  const name = (key: Buffer): string => key.toString('latin1')
  return {
    rows,
    table: {
      get: (key) => rows.get(name(key)),
      putSync: (key, value) => rows.set(name(key), value),
      removeSync: (key) => rows.delete(name(key)),
    },
  }
}
