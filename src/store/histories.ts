import type { AccountHistory, HistoryState } from '../model/account-history.ts'
import { keepsMore, type Retention } from '../model/retention.ts'
import { NO_TRANSACTION } from '../model/transaction-id.ts'
import { rawAddress, tryParseAddress } from '../ton/address.ts'
import { hasScope } from './index-scope.ts'
import type { IndexStore } from './index-store.ts'
import { u32Key, u32u64Key } from './keys.ts'
import { newestRange } from './ranges.ts'
import { readRow, rowWriter } from './row-bytes.ts'
import { firstKey, keysIn } from './scan.ts'

/** The histories of chosen accounts: one row for each account that is chosen, none in an index of all accounts. */

/** In `meta`: what was kept when the histories were last begun. */
const RETENTION = Buffer.from('retain')

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

/** The row of a history that has not begun. */
const beginning = (since: number): Buffer => encode({ since, state: 'waiting', next: NO_TRANSACTION, oldest_lt: 0n })

/** The histories of all chosen accounts. */
export function* readHistories({ tables, addresses }: IndexStore): Generator<AccountHistory> {
  for (const key of keysIn(tables.histories, {}, 'asc')) {
    const bytes = tables.histories.get(key)
    if (bytes) yield { address: addresses.of(key.readUInt32BE(0)), ...decode(bytes) }
  }
}

/**
 * Begins all histories anew where more is kept now than when they were last begun: what was left out or removed as too old
 * may be kept. What is stored is passed quickly.
 */
export const settleRetention = (store: IndexStore, retention: Retention): void => {
  const { environment, tables } = store
  const wanted = JSON.stringify(retention)
  const noted = tables.meta.get(RETENTION)?.toString()
  if (noted === wanted || !hasScope(tables)) return
  environment.transaction(() => {
    if (noted === undefined || keepsMore(retention, JSON.parse(noted) as Retention))
      for (const key of [...keysIn(tables.histories, {}, 'asc')])
        tables.histories.putSync(key, beginning(decode(tables.histories.get(key)!).since))
    tables.meta.putSync(RETENTION, Buffer.from(wanted))
  })
}

/**
 * True where older transactions of an account are stored than a history reached: it was destroyed, and came back. Where
 * none are it may have been all the same, as nothing of an account's first transaction tells.
 */
export const cameBack = ({ tables, addresses }: IndexStore, { address, oldest_lt }: AccountHistory): boolean => {
  const id = addresses.find(address)
  if (id === undefined || oldest_lt === 0n) return false
  return firstKey(tables.tx_by_account, { from: u32Key(id), to: u32u64Key(id, oldest_lt) }, 'asc') !== undefined
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
        tables.histories.putSync(u32Key(addresses.intern(address)), beginning(since))
      }
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}
