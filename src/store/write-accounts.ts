import type { BatchAccount } from '../model/batch.ts'
import type { Cell } from '../ton/cell.ts'
import { changeTrees } from './account-cells.ts'
import type { AddressIds } from './addresses.ts'
import { type AccountRow, decodeAccount, encodeAccount, encodeState } from './codecs.ts'
import { balanceKey, u32Key } from './keys.ts'
import { NO_VALUE, type Tables } from './tables.ts'

/** The latest state of an account by its interned address. */
export const accountRow = (tables: Tables, id: number): AccountRow | undefined => {
  const bytes = tables.accounts.get(u32Key(id))
  return bytes && decodeAccount(bytes)
}

/** Trees that come and go with a batch. */
interface Trees {
  added: Cell[]
  removed: Buffer[]
}

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a && b ? a.equals(b) : a === b)

const noteCode = (tables: Tables, { code, code_hash }: BatchAccount, trees: Trees): void => {
  if (!code || !code_hash || tables.codes.doesExist(code_hash)) return
  tables.codes.putSync(code_hash, NO_VALUE)
  trees.added.push(code)
}

const noteData = (old: AccountRow | undefined, account: BatchAccount, trees: Trees): void => {
  if (isSame(old?.data_hash ?? null, account.data_hash)) return
  if (account.data) trees.added.push(account.data)
  if (old?.data_hash) trees.removed.push(old.data_hash)
}

const moveBalance = (tables: Tables, id: number, old: AccountRow | undefined, account: BatchAccount): void => {
  const key = balanceKey(account.balance, account.address, id)
  const before = old && balanceKey(old.balance, account.address, id)
  if (before?.equals(key)) return
  if (before) tables.accounts_by_balance.removeSync(before)
  tables.accounts_by_balance.putSync(key, NO_VALUE)
}

const writeLatest = (tables: Tables, id: number, mc_seqno: number, account: BatchAccount, trees: Trees): void => {
  const old = accountRow(tables, id)
  if (old && old.last_transaction.lt >= account.last_transaction.lt) return
  noteCode(tables, account, trees)
  noteData(old, account, trees)
  moveBalance(tables, id, old, account)
  tables.accounts.putSync(u32Key(id), encodeAccount({ ...account, mc_seqno }))
}

/**
 * Writes the states in which a masterchain block leaves accounts: each by its hash, and as the latest where it is. Cells
 * of code and data that a block prunes must be stored already, or be in what another account of the batch shows.
 */
export const writeAccounts = (
  tables: Tables,
  addresses: AddressIds,
  mc_seqno: number,
  accounts: readonly BatchAccount[],
): void => {
  const trees: Trees = { added: [], removed: [] }
  for (const account of accounts) {
    tables.account_states.putSync(account.state_hash, encodeState(account))
    writeLatest(tables, addresses.intern(account.address), mc_seqno, account, trees)
  }
  changeTrees(tables.account_cells, trees.added, trees.removed)
}
