import { openSharedTable, type SharedTable, seedSharedTable, sharedTableBytes } from '../../src/common/shared-table.ts'

/** A table of so many sets of eight names, in memory of this process. */
export const emptyTable = (sets = 16, seed = 7n): SharedTable => {
  const memory = new BigInt64Array(sharedTableBytes(sets) / BigInt64Array.BYTES_PER_ELEMENT)
  seedSharedTable(memory, seed)
  return openSharedTable(memory)
}
