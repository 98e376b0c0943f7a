import { join } from 'node:path'
import { type AddressIds, addressIds } from './addresses.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts'

/** The version of the tables (tables.ts, keys.ts, codecs.ts): a change of their form is a new number. */
export const INDEX_VERSION = 2

/** An open index. One thread may write; any number may read. */
export interface IndexStore {
  environment: Environment<TableName>
  tables: Tables
  addresses: AddressIds
}

/** The folder of the index in the data directory. */
export const indexFolder = (data: string): string => join(data, 'index')

/**
 * Opens the index in `folder`.
 * @param network names the chain, for instance by the hash of its zerostate
 * @throws TonlithError as openEnvironment does; for another network or version with the command to type
 */
export const openIndexStore = async (
  folder: string,
  network: string,
  options: { readOnly?: boolean } = {},
): Promise<IndexStore> => {
  const rebuild = 'write it to a file with "tonlith index export" of the version that made it, or remove the folder'
  const environment = await openEnvironment({
    path: folder,
    stamp: { store: 'index', version: INDEX_VERSION, network },
    remedies: {
      otherNetwork: 'start with the --network that it belongs to, or with another --data',
      older: `${rebuild} to index anew`,
      newer: `start a newer tonlith, or ${rebuild} to index anew`,
    },
    tables: TABLE_NAMES,
    readOnly: options.readOnly ?? false,
  })
  return { environment, tables: environment.tables, addresses: addressIds(environment.tables) }
}
