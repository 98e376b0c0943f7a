import { join } from 'node:path'
import { type AddressIds, addressIds } from './addresses.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts'

/** The version of the tables (tables.ts, keys.ts, codecs.ts): a change of their form is a new number. */
export const INDEX_VERSION = 3

/** An open index. One thread may write; any number may read. */
export interface IndexStore {
  environment: Environment<TableName>
  tables: Tables
  addresses: AddressIds
}

/** The folder of the index in the data directory. */
export const indexFolder = (data: string): string => join(data, 'index')

/** What to do about a damaged index. */
export const damagedIndexRemedy = (folder: string): string =>
  `restore a backup, or remove the folder to index anew: rm -r ${folder}`

/** Tables that must be right to tell whether an index is the right one. */
const OF_THE_WHOLE: readonly TableName[] = ['meta', 'ranges']

/**
 * Opens the index in `folder`.
 * @param network names the chain, for instance by the hash of its zerostate
 * @param options `believed`: its pages were looked at just before; `signal` gives the opening up, which then throws `unavailable`
 * @throws TonlithError as openEnvironment does; for another network or version with the command to type
 */
export const openIndexStore = async (
  folder: string,
  network: string,
  options: { readOnly?: boolean; believed?: boolean; signal?: AbortSignal } = {},
): Promise<IndexStore> => {
  const rebuild = 'write it to a file with "tonlith index export" of the version that made it, or remove the folder'
  const environment = await openEnvironment({
    path: folder,
    stamp: { store: 'index', version: INDEX_VERSION, network },
    remedies: {
      otherNetwork: 'start with the --network that it belongs to, or with another --data',
      older: `${rebuild} to index anew`,
      damaged: damagedIndexRemedy(folder),
      newer: `start a newer tonlith, or ${rebuild} to index anew`,
    },
    tables: TABLE_NAMES,
    readOnly: options.readOnly ?? false,
    ...(options.believed ? { checked: OF_THE_WHOLE } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  })
  return { environment, tables: environment.tables, addresses: addressIds(environment.tables) }
}
