import { isTonlithError } from '../common/errors.ts'

/**
 * Opens a store for a server. Where the folder or disk allows no writing, what stands there is read; where
 * nothing does either, `unreadable` hears why, and the server goes on without it.
 * @throws TonlithError when the store is damaged, of another version, or LMDB cannot be loaded
 */
export const openForServer = async <Store>(
  open: (readOnly: boolean) => Promise<Store>,
  unreadable: (reason: string) => void,
): Promise<Store | undefined> => {
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
