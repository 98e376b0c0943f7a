import type { AccountHistory, HistoryState } from '../model/account-history.ts'
import { NO_TRANSACTION } from '../model/transaction-id.ts'
import { rawAddress, tryParseAddress } from '../ton/address.ts'
import type { IndexStore } from './index-store.ts'
import { u32Key } from './keys.ts'
import { newestRange } from './ranges.ts'
import { readRow, rowWriter } from './row-bytes.ts'
import { keysIn } from './scan.ts'

/** The histories of chosen accounts: one row for each account that is chosen, none in an index of all accounts. */

const STATES: readonly HistoryState[] = ['waiting', 'under_way', 'complete', 'cut']

const encode = ({ since, state, next, oldest_lt }: Omit<AccountHistory, 'address'>): Buffer =>
  rowWriter().u32(since).u8(STATES.indexOf(state)).u64(next.lt).bytes(next.hash).u64(oldest_lt).end()

const decode = (bytes: Buffer): Omit<AccountHistory, 'address'> =>
  readRow('histories', bytes, (row) => ({
    since: row.u32(),
    state: STATES[row.u8() & 3]!,
    next: { lt: row.u64(), hash: row.bytes(32) },
    oldest_lt: row.u64(),
  }))

/** The histories of all chosen accounts. */
export function* readHistories({ tables, addresses }: IndexStore): Generator<AccountHistory> {
  for (const key of keysIn(tables.histories, {}, 'asc')) {
    const bytes = tables.histories.get(key)
    if (bytes) yield { address: addresses.of(key.readUInt32BE(0)), ...decode(bytes) }
  }
}

/** Writes how far a history is now. One whose account is not chosen any more changes nothing. */
export const writeHistory = ({ environment, tables, addresses }: IndexStore, history: AccountHistory): void =>
  environment.transaction(() => {
    const id = addresses.find(history.address)
    if (id === undefined || !tables.histories.doesExist(u32Key(id))) return
    tables.histories.putSync(u32Key(id), encode(history))
  })

/**
 * Settles whose histories are wanted: those of the chosen accounts (raw addresses; undefined: the index is about all of
 * them, and none is). An account that is new begins, one that was dropped is forgotten: if it is chosen again it begins
 * anew, and what is stored already is passed quickly.
 */
export const settleHistories = (store: IndexStore, accounts: readonly string[] | undefined): void => {
  const { environment, tables, addresses } = store
  const left = new Set(accounts)
  const dropped = Array.from(readHistories(store), ({ address }) => address).filter(
    (address) => !left.delete(rawAddress(address)),
  )
  if (left.size === 0 && dropped.length === 0) return
  try {
    environment.transaction(() => {
      for (const address of dropped) tables.histories.removeSync(u32Key(addresses.find(address)!))
      const newest = newestRange(tables)
      const since = newest ? newest.last + 1 : 0
      for (const raw of left) {
        const address = tryParseAddress(raw)
        if (!address) continue
        const row = encode({ since, state: 'waiting', next: NO_TRANSACTION, oldest_lt: 0n })
        tables.histories.putSync(u32Key(addresses.intern(address)), row)
      }
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}
