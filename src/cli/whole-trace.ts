import { realTrace, whenWhole } from '../api/v3/pending-list.ts'
import { isTonlithError } from '../common/errors.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'

/** True where an index that all traces come to has the whole trace of an external message; false while it cannot be read. */
export const hasWholeTrace = (index: IndexReader | undefined, message: Parameters<typeof realTrace>[1]): boolean => {
  try {
    const real = index && !index.isOfChosen() ? realTrace(index, message) : undefined
    return real !== undefined && whenWhole(real)
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return false
  }
}
