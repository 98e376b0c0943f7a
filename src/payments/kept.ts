import { isTonlithError, TonlithError } from '../common/errors.ts'

const READ = 'payments cannot be read or written now'

/**
 * Reads or writes what is kept of payments, for a caller from outside: what the disk or a damaged row fails with names
 * folders of the machine, and becomes words that may leave it; a bound that was reached keeps its own.
 * @throws TonlithError `unavailable` (503), its cause inside; what else `work` throws
 */
export const kept = <T>(work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    const isBound = isTonlithError(cause, 'limit')
    if (!isBound && !isTonlithError(cause, 'unavailable') && !isTonlithError(cause, 'malformed')) throw cause
    throw new TonlithError('unavailable', isBound ? cause.message : READ, { code: 503, cause })
  }
}
