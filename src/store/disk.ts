import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** LMDB's file in the folder of an environment. */
export const dataFile = (folder: string): string => join(folder, 'data.mdb')

/** Whether there is such a file with anything in it. Throws the errors of the file system. */
export const hasDataFile = (folder: string): boolean =>
  (statSync(dataFile(folder), { throwIfNoEntry: false })?.size ?? 0) > 0

/** Bytes of that file. Throws the errors of the file system. */
export const fileBytes = (folder: string): number => statSync(dataFile(folder)).size

/** Bytes that are free on the disk of a path. Throws the errors of the file system. */
export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
