import { join } from 'node:path'
import { fileBytes, hasDataFile } from '../store/disk.ts'
import { indexFolder } from '../store/index-store.ts'
import { metadataFolder } from '../store/metadata-store.ts'

/**
 * Bytes of the files of what is kept, by the name of the store; what is not there, or cannot be looked at, is left out.
 * @param data the data folder
 * @param home the folder that the index of the network is in
 */
export const storeSizes = (data: string, home: string): Readonly<Record<string, number>> => {
  const folders = {
    index: indexFolder(home),
    metadata: metadataFolder(home),
    payments: join(data, 'payments'),
    operator: join(data, 'operator'),
  }
  const sizeOf = ([store, folder]: [string, string]): [string, number][] => {
    try {
      return hasDataFile(folder) ? [[store, fileBytes(folder)]] : []
    } catch {
      return []
    }
  }
  return Object.fromEntries(Object.entries(folders).flatMap(sizeOf))
}
