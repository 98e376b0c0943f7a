import { isTonlithError, TonlithError } from '../common/errors.ts'
import { freeBytes } from './disk.ts'

/** The first line of what an error says. */
export const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0]!

/** Below this the next commit may not fit. */
const LITTLE_SPACE_BYTES = 1 << 20

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', 28, 122, 27, -30792]
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS', 13, 1, 30]
const ABSENT = ['ENOENT', 'ENOTDIR', 'ENXIO', 2, 20]
const OF_ANOTHER_KIND = ['EEXIST', 'EISDIR', 17, 21]
/** A write that fits in part only is told as a failure of the device. */
const DEVICE = ['EIO', 5]
const DAMAGED = [-30796, -30797, -30794, -30793]

const isFull = (path: string): boolean => {
  try {
    return freeBytes(path) < LITTLE_SPACE_BYTES
  } catch {
    return false
  }
}

/**
 * What a failure of LMDB or of the file system means for who runs this, as one line that names the folder: `unavailable`
 * for a full disk, missing rights and a failing device, `invalid` for a folder that is not there or does not hold what it
 * should. A TonlithError is given back as it is, and so is what is not known (a mistake in the work, say).
 * @param code errors of the file system have a name, those of LMDB a number
 */
export const storeFailure = (error: unknown, path: string): unknown => {
  if (isTonlithError(error)) return error
  const code = (error as { code?: string | number } | null)?.code
  const tell = (kind: 'unavailable' | 'invalid', message: string) => new TonlithError(kind, message, { cause: error })
  if (code === undefined) return error
  if (FULL.includes(code) || (DEVICE.includes(code) && isFull(path)))
    return tell('unavailable', `the disk is full: ${path} cannot grow`)
  if (FORBIDDEN.includes(code)) return tell('unavailable', `no right to write in ${path}`)
  if (ABSENT.includes(code)) return tell('invalid', `there is no such folder: ${path}`)
  if (OF_ANOTHER_KIND.includes(code)) return tell('invalid', `${path} is not what it should be: ${firstLine(error)}`)
  if (DEVICE.includes(code)) return tell('unavailable', `the disk fails under ${path}: ${firstLine(error)}`)
  if (DAMAGED.includes(code as number)) return tell('invalid', `${path} is damaged: ${firstLine(error)}`)
  return typeof code === 'number' ? tell('unavailable', `LMDB fails in ${path}: ${firstLine(error)}`) : error
}
