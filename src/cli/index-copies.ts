import { isTonlithError, TonlithError } from '../common/errors.ts'
import { claimIndex } from '../store/claim.ts'
import { fileBytes, freeBytes, hasDataFile } from '../store/disk.ts'
import { exportStore, readExport } from '../store/export-file.ts'
import { storeFailure } from '../store/failure.ts'
import { damagedIndexRemedy, isImportable, openIndexStore } from '../store/index-store.ts'
import { openRawStore } from '../store/raw-store.ts'
import type { WriterClaim } from '../store/single-writer.ts'
import { TABLE_NAMES, type TableName } from '../store/tables.ts'
import { beginUnfinished, finishUnfinished, removeUnfinished } from '../store/unfinished.ts'
import { networkIn } from './index-network.ts'

/** What `tonlith index` does with an index as a whole. Whoever is killed meanwhile leaves what was there before. */

export type Print = (line: string) => void

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** The right to replace an index. Throws `conflict` while a server keeps it, or somebody else replaces it. */
const claimToReplace = (folder: string): WriterClaim => {
  try {
    return claimIndex(folder)
  } catch (cause) {
    if (!isTonlithError(cause, 'conflict')) throw cause
    const message = `${folder} is in use: a server keeps it, or another tonlith index works on it; end that first`
    throw new TonlithError('conflict', message, { cause })
  }
}

/** Copies the index into another folder. */
export const backup = async (folder: string, to: string, print: Print): Promise<void> => {
  const { environment } = await openIndexStore(folder, await networkIn(folder), { readOnly: true })
  try {
    await environment.backup(to)
    print(`${megabytes(fileBytes(to))} written to ${to}`)
  } finally {
    await environment.close()
  }
}

/** A copy of the index without free pages, unfinished in its folder. */
const makeCompacted = async (folder: string, print: Print): Promise<void> => {
  const raw = await openRawStore(folder, damagedIndexRemedy(folder))
  const users = raw.users()
  await raw.close()
  if (users.length > 0)
    throw new TonlithError('invalid', `the index is in use by process ${users.join(', ')}: end it first`)
  const { environment } = await openIndexStore(folder, raw.stamp.network ?? '', { readOnly: true })
  try {
    const [needed, free] = [environment.usedBytes(), freeBytes(folder)]
    print(`needs ${megabytes(needed)} while it works, ${megabytes(free)} are free`)
    if (needed > free) throw new TonlithError('unavailable', 'there is not enough space')
    await environment.backup(beginUnfinished(folder))
  } finally {
    await environment.close()
  }
}

/** Makes the index smaller. Throws `conflict` while a server keeps it. */
export const compact = async (folder: string, print: Print): Promise<void> => {
  const claim = claimToReplace(folder)
  try {
    const before = fileBytes(folder)
    await makeCompacted(folder, print)
    finishUnfinished(folder)
    print(`${megabytes(before)} became ${megabytes(fileBytes(folder))}`)
  } catch (error) {
    removeUnfinished(folder)
    throw error
  } finally {
    claim.release()
  }
}

/** Writes every row of the index to a file. */
export const exportTo = async (folder: string, file: string, print: Print): Promise<void> => {
  const raw = await openRawStore(folder, damagedIndexRemedy(folder))
  try {
    print(`${exportStore(raw, file)} rows written to ${file}`)
  } finally {
    await raw.close()
  }
}

/** Makes an index of an export, unfinished in the folder. Gives the number of rows. */
const makeImported = async (folder: string, file: string): Promise<number> => {
  const fresh = beginUnfinished(folder)
  let close = async (): Promise<void> => {}
  try {
    return await readExport(file, async ({ store, version, network }) => {
      const { environment, tables } = await openIndexStore(fresh, network ?? '')
      close = environment.close
      const own = environment.stamp
      if (store !== own.store || !isImportable(version))
        throw new TonlithError('invalid', `${file} is of the ${store} store, version ${version}, not ${own.version}`)
      return (some) =>
        environment.transaction(() => {
          for (const { table, key, value } of some) {
            if (!TABLE_NAMES.includes(table as TableName))
              throw new TonlithError('invalid', `${file} has a table ${table} that is none`)
            tables[table as TableName].putSync(key, value)
          }
        })
    })
  } finally {
    await close()
  }
}

/** Makes the index of a file that exportTo wrote. Throws `conflict` while a server keeps the folder. */
export const importFrom = async (folder: string, file: string, print: Print): Promise<void> => {
  const claim = claimToReplace(folder)
  try {
    if (hasDataFile(folder))
      throw new TonlithError('invalid', `there is an index in ${folder} already: name another --data, or remove it`)
    const rows = await makeImported(folder, file)
    finishUnfinished(folder)
    print(`${rows} rows read from ${file}`)
  } catch (error) {
    removeUnfinished(folder)
    throw storeFailure(error, folder)
  } finally {
    claim.release()
  }
}
