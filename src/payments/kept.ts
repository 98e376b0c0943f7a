import { isTonlithError, TonlithError } from '../common/errors.ts'

const READ = 'payments cannot be read or written now'

const told = (cause: unknown): unknown => {
  const isBound = isTonlithError(cause, 'limit')
  if (!isBound && !isTonlithError(cause, 'unavailable') && !isTonlithError(cause, 'malformed')) return cause
  return new TonlithError('unavailable', isBound ? cause.message : READ, { code: 503, cause })
}

/**
 * Reads or writes what is kept of payments, for a caller from outside: what the disk or a damaged row fails with names
 * folders of the machine, and becomes words that may leave it; a bound that was reached keeps its own.
 * @throws TonlithError `unavailable` (503), its cause inside; what else `work` throws
 */
export const kept = <T>(work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw told(cause)
  }
}

/** The same of what is written later. Rejects as `kept` throws. */
export const keptLater = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    throw told(cause)
  }
}
