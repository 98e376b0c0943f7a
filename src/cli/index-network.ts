import { TonlithError } from '../common/errors.ts'
import { damagedIndexRemedy } from '../store/index-store.ts'
import { openRawStore } from '../store/raw-store.ts'

/** The network of the index in a folder. Throws `invalid` where there is none. */
export const networkIn = async (folder: string): Promise<string> => {
  const raw = await openRawStore(folder, damagedIndexRemedy(folder))
  await raw.close()
  if (raw.stamp.store !== 'index') throw new TonlithError('invalid', `${folder} holds the ${raw.stamp.store} store`)
  return raw.stamp.network ?? ''
}
