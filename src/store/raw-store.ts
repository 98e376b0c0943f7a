import { TonlithError } from '../common/errors.ts'
import { finish } from '../common/steps.ts'
import { BINARY, loadLmdb, MAX_TABLES } from './addon.ts'
import { checkDataFile } from './data-file.ts'
import type { Table } from './environment.ts'
import { storeFailure } from './failure.ts'
import { decodeStamp, STAMP_KEY, type Stamp } from './stamp.ts'
import { beginUnfinished, finishUnfinished } from './unfinished.ts'

/** An environment as it is, of whatever store, network and version; only for reading. */
export interface RawStore {
  stamp: Stamp
  /** Every table by its name, in the order of the names. */
  tables: ReadonlyMap<string, Table>
  /** Processes, beside this one, that have it open. */
  users(): number[]
  /** Writes a copy as it is at this moment into a folder that has none yet: the whole of it, or nothing. */
  backup(folder: string): Promise<void>
  close(): Promise<void>
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Process ids out of LMDB's list of readers: a line of headings, then `pid thread txnid`. */
const pidsOf = (list: string): number[] => {
  const pids = list.split('\n').map((line) => Number(/^\s*(\d+)\s/.exec(line)?.[1] ?? Number.NaN))
  return [...new Set(pids)].filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid))
}

/** The name of a table as the unnamed one has it: with a zero byte behind. */
const nameOf = (key: Buffer): string => key.toString('utf8').replace(/\0$/, '')

/**
 * Opens the environment in a folder without asking what it is of.
 * @param remedy what to do about a damaged one
 * @throws TonlithError `invalid` for a folder without one, `malformed` for a damaged one; `unavailable` for missing rights
 */
export const openRawStore = async (path: string, remedy: string): Promise<RawStore> => {
  const lmdb = await loadLmdb()
  try {
    if (!finish(checkDataFile(path, remedy))) throw new TonlithError('invalid', `there is no store in ${path}`)
    const root = lmdb.open<Buffer, Buffer>({ path, noSubdir: false, readOnly: true, maxDbs: MAX_TABLES, ...BINARY })
    const tables = new Map<string, Table>()
    for (const name of [...root.getKeys()].map(nameOf)) {
      const table = root.openDB<Buffer, Buffer>({ name, ...BINARY })
      if (table) tables.set(name, table)
    }
    const stamp = tables.get('meta')?.get(STAMP_KEY)
    if (!stamp) {
      await root.close()
      throw new TonlithError('invalid', `there is no store in ${path}`)
    }
    return {
      stamp: decodeStamp(stamp, path),
      tables,
      users: () => pidsOf(String((root as unknown as { readerList(): string }).readerList())),
      backup: async (folder) => {
        await root.backup(beginUnfinished(folder), true)
        finishUnfinished(folder)
      },
      close: () => root.close(),
    }
  } catch (error) {
    throw storeFailure(error, path, remedy)
  }
}
