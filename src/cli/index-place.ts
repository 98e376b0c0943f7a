import { join } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import { hasDataFile } from '../store/disk.ts'
import { indexFolder } from '../store/index-store.ts'

/** Folders of the data folder in which `tonlith dev` keeps the indexes of its networks. */
export const OF_DEV = ['dev', 'recorded'] as const

/**
 * Makes sure that the data folder has an index.
 * @throws TonlithError `invalid` where it has none, with the flags for those of `tonlith dev` that are there
 */
export const assertIndexIn = (data: string): void => {
  if (hasDataFile(indexFolder(data))) return
  const others = OF_DEV.map((name) => join(data, name)).filter((home) => hasDataFile(indexFolder(home)))
  const hint =
    others.length === 0 ? '' : `; tonlith dev keeps its own apart: ${others.map((home) => `--data ${home}`).join(', ')}`
  throw new TonlithError('invalid', `there is no index in ${indexFolder(data)}${hint}`)
}
