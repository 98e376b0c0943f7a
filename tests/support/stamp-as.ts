import { openEnvironment } from '../../src/store/environment.ts'
import { openRawStore } from '../../src/store/raw-store.ts'
import { encodeStamp, STAMP_KEY } from '../../src/store/stamp.ts'

/** Gives a store, which nobody has open, the stamp of another version; what it holds stays. */
export const stampAs = async (path: string, version: number): Promise<void> => {
  const { stamp, close } = await openRawStore(path, 'none')
  await close()
  const remedies = { otherNetwork: '', older: '', newer: '', damaged: '' }
  const { tables, transaction, close: end } = await openEnvironment({ path, stamp, remedies, tables: ['meta'] })
  transaction(() => tables.meta.putSync(STAMP_KEY, encodeStamp({ ...stamp, version })))
  await end()
}
