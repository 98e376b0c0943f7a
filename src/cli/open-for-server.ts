import { isTonlithError } from '../common/errors.ts'
import type { OperatorStore, OperatorTable } from '../store/operator.ts'

/**
 * Opens the operator's store for a server. Where the folder or disk allows no writing, what stands there is read; where
 * nothing does either, `unreadable` hears why, and the server goes on without it.
 * @throws TonlithError when the store is damaged, of another version, or LMDB cannot be loaded
 */
export const openForServer = async <T extends OperatorTable>(
  open: (readOnly: boolean) => Promise<OperatorStore<T>>,
  unreadable: (reason: string) => void,
): Promise<OperatorStore<T> | undefined> => {
  try {
    return await open(false)
  } catch (error) {
    if (!isTonlithError(error, 'unavailable')) throw error
    try {
      return await open(true)
    } catch (second) {
      if (!isTonlithError(second)) throw second
      unreadable(error.message)
      return undefined
    }
  }
}
