import { join } from 'node:path'
import { type AddressIds, addressIds } from './addresses.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts'
import { limitCells } from './transaction-cells.ts'

/** The version of the tables (tables.ts, keys.ts, codecs.ts): a change of their form is a new number. */
export const INDEX_VERSION = 3

/**
 * The oldest version that is upgraded in place. Version 2 lacks the tables of actions, which are noted again in the
 * background (renew-actions.ts), and those of payments; what it has is of today's form. An index of version 1 knows nothing
 * of tokens, and where it is of chosen accounts, transactions have other places.
 */
const OLDEST_UPGRADED = 2

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

const movedAway = (folder: string): string => `mv ${folder} ${folder}-old`

const olderRemedy = (folder: string, version: number): string =>
  version < OLDEST_UPGRADED
    ? 'it cannot be upgraded in place. Nothing was changed: the tonlith that wrote it can go on with it. To index anew and ' +
      `keep it, move the folder away: ${movedAway(folder)}`
    : 'a server upgrades it in place when it starts with it (tonlith serve)'

/** The version of the index of a file that `tonlith index import` may read: rows of it are of today's form. */
export const isImportable = (version: number): boolean => version >= OLDEST_UPGRADED && version <= INDEX_VERSION

/** Tables that must be right to tell whether an index is the right one. */
const OF_THE_WHOLE: readonly TableName[] = ['meta', 'ranges']

/**
 * Opens the index in `folder`.
 * @param network names the chain, for instance by the hash of its zerostate
 * @param options `believed`: its pages were looked at just before; `signal` gives the opening up, which then throws `unavailable`;
 * `older`: what becomes of an index of a version that can be upgraded in place, which only who has claimed it may do: it
 * is refused where nothing is said; `cacheBytes`: memory for what was unpacked lately
 * @throws TonlithError as openEnvironment does; for another network or version with the command to type
 */
export const openIndexStore = async (
  folder: string,
  network: string,
  options: {
    readOnly?: boolean
    believed?: boolean
    signal?: AbortSignal
    older?: 'upgrade' | 'accept'
    cacheBytes?: number | undefined
  } = {},
): Promise<IndexStore> => {
  const environment = await openEnvironment({
    path: folder,
    stamp: { store: 'index', version: INDEX_VERSION, network },
    remedies: {
      otherNetwork: 'start with the --network that it belongs to, or with another --data',
      older: (version) => olderRemedy(folder, version),
      damaged: damagedIndexRemedy(folder),
      newer:
        'start the tonlith that wrote it, or a newer one; or, to index anew and keep it, move the folder away: ' +
        movedAway(folder),
    },
    ...(options.older ? { older: { from: OLDEST_UPGRADED, how: options.older } } : {}),
    tables: TABLE_NAMES,
    readOnly: options.readOnly ?? false,
    ...(options.believed ? { checked: OF_THE_WHOLE } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  })
  const { tables } = environment
  if (options.cacheBytes !== undefined) limitCells(tables, options.cacheBytes)
  return { environment, tables, addresses: addressIds(tables) }
}
