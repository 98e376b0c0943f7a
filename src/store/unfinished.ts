import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile } from './disk.ts'

/**
 * A new data file is made in a folder inside of the one that it is for, and moved up by one rename when it is whole: who
 * is killed meanwhile leaves what was there before, and a folder that says that it is not finished.
 */
const NAME = 'unfinished'

/** Removes what somebody who was killed has left. */
export const removeUnfinished = (folder: string): void => rmSync(join(folder, NAME), { recursive: true, force: true })

/** Makes the empty folder in which a data file for `folder` is made. Throws the errors of the file system. */
export const beginUnfinished = (folder: string): string => {
  removeUnfinished(folder)
  const work = join(folder, NAME)
  mkdirSync(work, { recursive: true })
  return work
}

/** Waits until a file or the names in a folder are on the disk. */
const flushed = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Puts the data file that was made, which nobody has open any more, in the place of the one of `folder`. LMDB's lock file
 * is about the file that goes. Throws the errors of the file system.
 */
export const finishUnfinished = (folder: string): void => {
  const made = dataFile(join(folder, NAME))
  flushed(made)
  rmSync(join(folder, 'lock.mdb'), { force: true })
  renameSync(made, dataFile(folder))
  if (process.platform !== 'win32') flushed(folder)
  removeUnfinished(folder)
}
