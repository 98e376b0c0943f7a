import type { BatchAccount } from '../model/batch.ts'
import type { Cell } from '../ton/cell.ts'
import { changeAccountCells } from './account-cells.ts'
import type { AddressIds } from './addresses.ts'
import { type AccountRow, decodeAccount, encodeAccount, encodeState } from './codecs.ts'
import { balanceKey, u32Key } from './keys.ts'
import { NO_VALUE, type Tables } from './tables.ts'

/** The latest state of an account by its interned address. */
export const accountRow = (tables: Tables, id: number): AccountRow | undefined => {
  const bytes = tables.accounts.get(u32Key(id))
  return bytes && decodeAccount(bytes)
}

const isNewer = (old: AccountRow | undefined, account: BatchAccount): boolean =>
  !old || old.last_transaction.lt < account.last_transaction.lt

/** True when `account` would be its latest state. */
const isNewest = (tables: Tables, addresses: AddressIds, account: BatchAccount): boolean => {
  const id = addresses.find(account.address)
  return id === undefined || isNewer(accountRow(tables, id), account)
}

/** Which cells of an account are needed to write it. */
export interface NeededCells {
  code: boolean
  data: boolean
  /** The dictionary of extra currencies. */
  extra: boolean
}

const NOTHING: NeededCells = { code: false, data: false, extra: false }

/**
 * The latest state of an account is kept with its code and data; of older ones, in whatever order they come, the codes
 * that no other account has. Undefined for a state that is stored and older than the latest: nothing of it is written.
 */
export const neededCells = (tables: Tables, addresses: AddressIds, account: BatchAccount): NeededCells | undefined => {
  if (isNewest(tables, addresses, account)) return { code: true, data: true, extra: true }
  if (tables.account_states.doesExist(account.state_hash)) return undefined
  const { code_hash } = account
  return { ...NOTHING, extra: true, code: code_hash !== null && !tables.codes.doesExist(code_hash) }
}

/** What a batch changes in the table of cells. */
interface CellChanges {
  accounts: { before: Pick<AccountRow, 'data_hash' | 'extra_currencies'> | null; after: BatchAccount }[]
  codes: Cell[]
}

const noteCode = (tables: Tables, { code, code_hash }: BatchAccount, codes: Cell[]): void => {
  if (!code || !code_hash || tables.codes.doesExist(code_hash)) return
  tables.codes.putSync(code_hash, NO_VALUE)
  codes.push(code)
}

const moveBalance = (tables: Tables, id: number, old: AccountRow | undefined, account: BatchAccount): void => {
  const key = balanceKey(account.balance, account.address, id)
  const before = old && balanceKey(old.balance, account.address, id)
  if (before?.equals(key)) return
  if (before) tables.accounts_by_balance.removeSync(before)
  tables.accounts_by_balance.putSync(key, NO_VALUE)
}

const writeLatest = (tables: Tables, id: number, mc_seqno: number, account: BatchAccount, cells: CellChanges): void => {
  const old = accountRow(tables, id)
  const before = old ? { ...old, data_hash: old.data_held ? old.data_hash : null } : null
  cells.accounts.push({ before, after: account })
  moveBalance(tables, id, old, account)
  tables.accounts.putSync(u32Key(id), encodeAccount({ ...account, mc_seqno, data_held: account.data !== null }))
}

/**
 * Writes the states in which a masterchain block leaves accounts: each by its hash, and as the latest where it is. The
 * cells that neededCells names must be stored already where the block prunes them, or be in what another account of the
 * batch shows.
 */
export const writeAccounts = (
  tables: Tables,
  addresses: AddressIds,
  mc_seqno: number,
  accounts: readonly BatchAccount[],
): void => {
  const cells: CellChanges = { accounts: [], codes: [] }
  for (const account of accounts) {
    const needed = neededCells(tables, addresses, account)
    if (!needed) continue
    tables.account_states.putSync(account.state_hash, encodeState(account))
    if (needed.code) noteCode(tables, account, cells.codes)
    if (needed.data) writeLatest(tables, addresses.intern(account.address), mc_seqno, account, cells)
  }
  changeAccountCells(tables.account_cells, cells.accounts, cells.codes)
}
