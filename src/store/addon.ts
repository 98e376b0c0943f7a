import { tmpdir } from 'node:os'
import { TonlithError } from '../common/errors.ts'
import { firstLine } from './failure.ts'

type Lmdb = typeof import('lmdb')

/** Keys and values are byte strings, in the environment and in each table. */
export const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const

/** Tables that an environment may have. */
export const MAX_TABLES = 64

/**
 * Loads LMDB's native addon, which the executable unpacks to the directory for temporary files.
 * @throws TonlithError `unsupported` when that directory is missing, full, read-only or allows no execution
 */
export const loadLmdb = async (): Promise<Lmdb> => {
  try {
    return await import('lmdb')
  } catch (cause) {
    const message =
      `LMDB cannot be loaded from ${tmpdir()}, which must be a writable folder that allows execution ` +
      `(TMPDIR=/another/folder names one): ${firstLine(cause)}`
    throw new TonlithError('unsupported', message, { cause })
  }
}
