import { isTonlithError, TonlithError, toldOf } from '../common/errors.ts'
import { freeBytes } from './disk.ts'

/** The first line of what an error says, as far as it may be told. */
export const firstLine = (error: unknown): string =>
  String(error instanceof Error ? toldOf(error).message : error).split('\n', 1)[0]!

/** Below this the next commit may not fit. */
const LITTLE_SPACE_BYTES = 1 << 20

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', 28, 122, 27, -30792]
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS', 13, 1, 30]
const ABSENT = ['ENOENT', 'ENOTDIR', 'ENXIO', 2, 20]
const OF_ANOTHER_KIND = ['EEXIST', 'EISDIR', 17, 21]
/** A write that fits in part only is told as a failure of the device. */
const DEVICE = ['EIO', 5]
/** What the system's failures are called (glibc, musl): LMDB's copying tells nothing else of them. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['Quota exceeded', 'EDQUOT'],
  ['File too large', 'EFBIG'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
  ['Read-only file system', 'EROFS'],
  ['Input/output error', 'EIO'],
  ['I/O error', 'EIO'],
])
/** LMDB's names for pages, trees and transactions that are not what they should be. */
const DAMAGED = [-30797, -30796, -30794, -30793, -30787, -30784, -30782, -30781, -30780, -30779]
/** What decoding bytes ends in that are not those that were written. */
const UNREADABLE = [RangeError, SyntaxError]

const isFull = (path: string): boolean => {
  try {
    return freeBytes(path) < LITTLE_SPACE_BYTES
  } catch {
    return false
  }
}

/** One line about a damaged file or folder, and what to do. */
export const damageOf = (path: string, fault: string, remedy: string): string =>
  `${path} is damaged: ${fault}${remedy === '' ? '' : `; ${remedy}`}`

/**
 * What a failure of LMDB or of the file system means for who runs this, as one line that names the folder: `unavailable`
 * for a full disk, missing rights and a failing device, `invalid` for a folder that is not there or does not hold what it
 * should, `malformed` for a damaged one. A TonlithError is given back as it is, and so is what is not known (a mistake in the work, say).
 * @param code errors of the file system have a name, those of LMDB a number
 * @param remedy what to do about damage
 */
export const storeFailure = (error: unknown, path: string, remedy = ''): unknown => {
  if (isTonlithError(error)) return error
  const code = (error as { code?: string | number } | null)?.code ?? CALLED.get(firstLine(error))
  const tell = (kind: 'unavailable' | 'invalid' | 'malformed', message: string) =>
    new TonlithError(kind, message, { cause: error })
  if (code === undefined) return error
  if (FULL.includes(code) || (DEVICE.includes(code) && isFull(path)))
    return tell('unavailable', `the disk is full: ${path} cannot grow`)
  if (FORBIDDEN.includes(code)) return tell('unavailable', `no right to write in ${path}`)
  if (ABSENT.includes(code)) return tell('invalid', `there is no such folder: ${path}`)
  if (OF_ANOTHER_KIND.includes(code)) return tell('invalid', `${path} is not what it should be: ${firstLine(error)}`)
  if (DEVICE.includes(code)) return tell('unavailable', `the disk fails under ${path}: ${firstLine(error)}`)
  if (DAMAGED.includes(code as number)) return tell('malformed', damageOf(path, firstLine(error), remedy))
  return typeof code === 'number' ? tell('unavailable', `LMDB fails in ${path}: ${firstLine(error)}`) : error
}

/**
 * A failure of reading rows, as storeFailure tells it; what decodes to nothing, and an error `malformed`, is damage, too.
 */
export const readFailure = (error: unknown, path: string, remedy: string): unknown => {
  const unreadable = UNREADABLE.some((kind) => error instanceof kind) || isTonlithError(error, 'malformed')
  if (!unreadable) return storeFailure(error, path, remedy)
  const fault = firstLine(error)
  if (isTonlithError(error) && fault.includes(remedy)) return error
  return new TonlithError('malformed', damageOf(path, fault, remedy), { cause: error })
}
