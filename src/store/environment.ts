import { mkdirSync } from 'node:fs'
import type { Database, RootDatabase } from 'lmdb'
import { TonlithError } from '../common/errors.ts'
import { nextTurn } from '../common/next-turn.ts'
import { inTurns } from '../common/steps.ts'
import { BINARY, loadLmdb, MAX_TABLES } from './addon.ts'
import { checkDataFile } from './data-file.ts'
import { hasDataFile } from './disk.ts'
import { storeFailure } from './failure.ts'
import { checkStamp, encodeStamp, type Remedies, STAMP_KEY, type Stamp } from './stamp.ts'
import { beginUnfinished, finishUnfinished } from './unfinished.ts'

/**
 * A table of byte strings, in the order of its keys (at most 1,978 bytes each). What `getBinaryFast` gives is overwritten
 * by the next read. LMDB's asynchronous writes are left out: one that fails ends as an unhandled rejection.
 */
export type Table = Pick<
  Database<Buffer, Buffer>,
  | 'get'
  | 'getBinaryFast'
  | 'getMany'
  | 'doesExist'
  | 'getRange'
  | 'getKeys'
  | 'getCount'
  | 'getStats'
  | 'putSync'
  | 'removeSync'
>

/** An open LMDB environment. */
export interface Environment<T extends string> {
  readonly path: string
  readonly stamp: Stamp
  /** The version that it was of before this opening upgraded it; undefined where that had nothing to do. */
  readonly upgradedFrom: number | undefined
  readonly tables: Readonly<Record<T, Table>>
  /**
   * Runs `work` as one transaction: all of its writes or, when it throws, none. It must not await; its reads see its own
   * writes. It is on disk once it returns.
   * @throws TonlithError `unavailable` for a full disk, missing rights or a failing device; what `work` throws
   */
  transaction<R>(work: () => R): R
  /** Makes reads see what other processes have committed, which they otherwise do from the next turn of the loop on. */
  renew(): void
  /** Bytes of the pages that hold rows: less than the file where it has free ones. */
  usedBytes(): number
  /** Writes a copy as it is at this moment, without free pages, into a folder that has none yet. Nothing is there until all is. */
  backup(folder: string): Promise<void>
  /** Ends when all that was committed is on disk. */
  flushed(): Promise<void>
  close(): Promise<void>
  /** False once it is closed: nothing may be read then. */
  isOpen(): boolean
}

export interface EnvironmentOptions<T extends string> {
  /** The folder; made where it is missing, unless `readOnly`. */
  path: string
  stamp: Stamp
  remedies: Remedies
  /**
   * Versions from `from` on are taken as well: tables were added since then, and what the others hold is of the same form.
   * `upgrade` gives it today's stamp, `accept` leaves it as it is.
   */
  older?: { from: number; how: 'upgrade' | 'accept' }
  tables: readonly T[]
  /** Only reads: nothing is made, and the folder need not be writable. */
  readOnly?: boolean
  /** Tables whose pages are looked at before LMDB reads them; all, where nothing is said. */
  checked?: readonly T[]
  /** How many pages are looked at, at most. */
  checkedPages?: number
  /** Gives the opening up, while its pages are looked at. */
  signal?: AbortSignal
  /** Bytes of address space to begin with; it grows as needed. */
  mapSize?: number
}

const META_TABLE = 'meta'

/**
 * Opens a folder of tables. Several processes may have it open at the same time; one writes at a time, the others wait.
 * @throws TonlithError `unsupported` when LMDB cannot be loaded, and for a folder of a newer format; `invalid` for one of
 * another store or network or of an older format that is not taken, and with `readOnly` for one that is missing; `malformed` for one that is damaged; `unavailable` when the disk is full or gives no right
 */
export const openEnvironment = async <T extends string>(options: EnvironmentOptions<T>): Promise<Environment<T>> => {
  const { path, stamp, remedies, readOnly = false } = options
  const lmdb = await loadLmdb()
  const failure = (error: unknown): unknown => storeFailure(error, path, remedies.damaged)
  const told = <R>(work: () => R): R => {
    try {
      return work()
    } catch (error) {
      throw failure(error)
    }
  }
  const checked = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work()
    } catch (error) {
      throw failure(error)
    }
  }
  const rest = async (): Promise<void> => {
    await nextTurn()
    if (options.signal?.aborted) throw new TonlithError('unavailable', `the opening of ${path} was given up`)
  }
  const exists = await checked(() => {
    if (!readOnly) mkdirSync(path, { recursive: true })
    return inTurns(
      checkDataFile(path, remedies.damaged, { tables: options.checked, pages: options.checkedPages }),
      rest,
    )
  })
  const root = told(() => {
    if (readOnly && !exists) throw new TonlithError('invalid', `there is no ${stamp.store} store in ${path} yet`)
    return lmdb.open<Buffer, Buffer>({
      path,
      noSubdir: false,
      readOnly,
      maxDbs: MAX_TABLES,
      ...BINARY,
      ...(options.mapSize === undefined ? {} : { mapSize: options.mapSize }),
    })
  })
  let open = true
  try {
    const upgradedFrom = told(() => settleContents(root, options))
    const tables = told(() => openTables(root, options.tables, path))
    return {
      path,
      stamp,
      upgradedFrom,
      tables,
      transaction: (work) => told(() => root.transactionSync(work)),
      renew: () => root.resetReadTxn(),
      usedBytes: () => options.tables.reduce((sum, name) => sum + bytesOf(tables[name]), 0),
      backup: async (folder) => {
        try {
          if (hasDataFile(folder)) throw new TonlithError('invalid', `there is a store in ${folder} already`)
          await root.backup(beginUnfinished(folder), true)
          finishUnfinished(folder)
        } catch (error) {
          throw storeFailure(error, folder)
        }
      },
      flushed: async () => {
        await root.flushed
      },
      close: () => {
        open = false
        return root.close()
      },
      isOpen: () => open,
    }
  } catch (error) {
    await root.close()
    throw error
  }
}

/**
 * Gives an environment without a stamp, which is a new one, its stamp, and one of an older version today's. Gives the
 * version that it was of, where it was upgraded.
 */
const settleContents = (
  root: RootDatabase,
  { stamp, path, remedies, older, readOnly = false }: Omit<EnvironmentOptions<string>, 'tables'>,
): number | undefined => {
  const meta = openTable(root, META_TABLE)
  const versionIn = (): number | undefined => {
    const found = meta?.get(STAMP_KEY)
    return found && checkStamp(found, stamp, path, remedies, older?.from)
  }
  const isSettled = (version: number | undefined): boolean =>
    version === stamp.version || (version !== undefined && older?.how !== 'upgrade')
  if (isSettled(versionIn())) return undefined
  if (readOnly || !meta) throw new TonlithError('invalid', `there is no ${stamp.store} store in ${path} yet`)
  return root.transactionSync(() => {
    const version = versionIn()
    if (!isSettled(version)) meta.putSync(STAMP_KEY, encodeStamp(stamp))
    return version === stamp.version ? undefined : version
  })
}

const openTable = (root: RootDatabase, name: string): Database<Buffer, Buffer> | undefined =>
  root.openDB<Buffer, Buffer>({ name, ...BINARY })

/** What LMDB counts of one table. */
type TableStats = { pageSize: number; treeBranchPageCount: number; treeLeafPageCount: number; overflowPages: number }

const bytesOf = (table: Pick<Table, 'getStats'>): number => {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as TableStats
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages)
}

const openTables = <T extends string>(root: RootDatabase, names: readonly T[], path: string) => {
  const tables: Partial<Record<T, Table>> = {}
  for (const name of names) {
    const table = openTable(root, name)
    if (!table) throw new TonlithError('invalid', `${path} has no table ${name}`)
    tables[name] = table
  }
  return tables as Record<T, Table>
}
