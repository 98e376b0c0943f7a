import { TonlithError } from '../common/errors.ts'
import type { IndexStore } from './index-store.ts'

const KEY = Buffer.from('accounts')

/** The accounts that an index is about, raw addresses in order; undefined: all of them. */
export const readScope = ({ tables }: Pick<IndexStore, 'tables'>): string[] | undefined => {
  const stored = tables.meta.get(KEY)
  return stored && (JSON.parse(stored.toString()) as string[])
}

/** True when an index is about chosen accounts. */
export const hasScope = ({ meta }: Pick<IndexStore['tables'], 'meta'>): boolean => meta.doesExist(KEY)

/** Notes which accounts an index is about from now on; undefined: all of them. */
export const noteScope = (store: IndexStore, accounts: readonly string[] | undefined): void => {
  const wanted = accounts && JSON.stringify([...accounts].sort())
  if (store.tables.meta.get(KEY)?.toString() === wanted) return
  store.environment.transaction(() => {
    if (wanted === undefined) store.tables.meta.removeSync(KEY)
    else store.tables.meta.putSync(KEY, Buffer.from(wanted))
  })
}

/**
 * Settles what an index is about when it is opened. Which accounts are chosen may change, but not whether there is a
 * choice: that is settled while the index is empty. An empty list is a choice only where there was one.
 * @param chosen raw addresses; undefined where nobody ever chose any
 * @returns the accounts that it is about; undefined: all of them
 * @throws TonlithError `invalid` when one that is not empty is about all accounts and some are chosen, or the other way
 * round, with what to do
 */
export const settleScope = (
  store: IndexStore,
  chosen: readonly string[] | undefined,
  empty: boolean,
): readonly string[] | undefined => {
  const isWhole = readScope(store) === undefined
  const wanted = chosen?.length === 0 && (empty || isWhole) ? undefined : chosen
  if (!empty && isWhole !== (wanted === undefined)) {
    const { path } = store.environment
    throw new TonlithError(
      'invalid',
      isWhole
        ? `${path} is about all accounts, and some are chosen: drop index_accounts and what "tonlith index accounts list" ` +
            'shows, name another --data, or remove the folder to index anew'
        : `${path} is about chosen accounts, and none is chosen: choose with index_accounts or "tonlith index accounts ` +
            'add", name another --data, or remove the folder to index all of them anew',
    )
  }
  noteScope(store, wanted)
  return wanted
}
