import { TonlithError } from '../common/errors.ts'
import type { IndexStore } from './index-store.ts'

const KEY = Buffer.from('accounts')

/** The accounts that an index is about, raw addresses in order; undefined: all of them. */
export const readScope = ({ tables }: Pick<IndexStore, 'tables'>): string[] | undefined => {
  const stored = tables.meta.get(KEY)
  return stored && (JSON.parse(stored.toString()) as string[])
}

/**
 * Notes what an index that is still empty is about. Places in it depend on that, so it cannot change later.
 * @throws TonlithError `invalid` when an index that is not empty is about other accounts, with what to do
 */
export const settleScope = (store: IndexStore, accounts: readonly string[] | undefined, empty: boolean): void => {
  const wanted = accounts && [...accounts].sort()
  const stored = readScope(store)
  if (JSON.stringify(stored) === JSON.stringify(wanted)) return
  if (!empty) {
    const { path } = store.environment
    throw new TonlithError(
      'invalid',
      `${path} is about ${stored ? `${stored.length} accounts` : 'all accounts'}, and index_accounts names others; ` +
        'name another --data, or remove the folder to index anew',
    )
  }
  store.environment.transaction(() => {
    if (wanted) store.tables.meta.putSync(KEY, Buffer.from(JSON.stringify(wanted)))
    else store.tables.meta.removeSync(KEY)
  })
}
