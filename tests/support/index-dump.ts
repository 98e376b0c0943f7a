import { createHash } from 'node:crypto'
import { openIndexStore } from '../../src/store/index-store.ts'
import { keysIn } from '../../src/store/scan.ts'
import { TABLE_NAMES } from '../../src/store/tables.ts'
import { indexFaults } from './index-check.ts'

/** What an index holds, byte by byte. */
export interface IndexDump {
  /** SHA-256 over every key and value, by table. */
  tables: Readonly<Record<string, string>>
  rows: number
  /** Entries that rows ask for and that are not there, and the other way round. */
  faults: string[]
}

/** Reads every row of an index that nobody has open. */
export const dumpIndex = async (folder: string, network: string): Promise<IndexDump> => {
  const index = await openIndexStore(folder, network, { readOnly: true })
  const { environment, tables } = index
  let rows = 0
  const size = Buffer.alloc(8)
  const hashes = TABLE_NAMES.map((name) => {
    const hash = createHash('sha256')
    for (const key of keysIn(tables[name], {}, 'asc')) {
      const value = tables[name].get(key)!
      size.writeUInt32BE(key.length, 0)
      size.writeUInt32BE(value.length, 4)
      hash.update(size).update(key).update(value)
      rows++
    }
    return [name, hash.digest('hex')] as const
  })
  const faults = indexFaults(index)
  await environment.close()
  return { tables: Object.fromEntries(hashes), rows, faults }
}
