import { accessSync, constants, existsSync } from 'node:fs'
import { dataFile } from './disk.ts'
import { storeFailure } from './failure.ts'
import { claimWriter, type WriterClaim } from './single-writer.ts'
import { removeUnfinished } from './unfinished.ts'

/** A lock can be had where nothing can be written, too. Throws `unavailable`. */
const needWritable = (folder: string): void => {
  try {
    for (const path of [folder, dataFile(folder)]) if (existsSync(path)) accessSync(path, constants.W_OK)
  } catch (error) {
    throw storeFailure(error, folder)
  }
}

/**
 * Claims the right to write the store in a folder, and removes what a compaction or an import has left there that did
 * not come to its end. Throws as claimWriter does, and
 * `unavailable` where nothing can be written.
 */
export const claimFolder = (folder: string, what: string): WriterClaim => {
  needWritable(folder)
  const claim = claimWriter(`${folder}.writer`, what)
  try {
    removeUnfinished(folder)
    return claim
  } catch (error) {
    claim.release()
    throw storeFailure(error, folder)
  }
}

/** Claims the right to write the index in a folder. Throws as claimFolder does. */
export const claimIndex = (folder: string): WriterClaim => claimFolder(folder, 'index')
