import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { readTree } from './account-cells.ts'
import type { AccountRow } from './codecs.ts'
import type { IndexStore } from './index-store.ts'
import type { Tables } from './tables.ts'
import { accountRow } from './write-accounts.ts'

/** The latest stored state of an account with its cells. */
export interface StoredAccount extends AccountRow {
  /** Null where it has none, or its cells were nowhere to be had. */
  code: Cell | null
  data: Cell | null
}

/** A code by its hash; undefined when it is not stored. Throws `internal` for a damaged index. */
export const storedCode = (tables: Pick<Tables, 'codes' | 'account_cells'>, code_hash: Buffer): Cell | undefined =>
  tables.codes.doesExist(code_hash) ? readTree(tables.account_cells, code_hash) : undefined

/** The data of an account's latest state; undefined where there is none or its cells were nowhere to be had. */
export const storedData = (
  tables: Pick<Tables, 'account_cells'>,
  { data_hash, data_held }: Pick<AccountRow, 'data_hash' | 'data_held'>,
): Cell | undefined => (data_hash && data_held ? readTree(tables.account_cells, data_hash) : undefined)

/**
 * The latest stored state of an account, as get-methods need it; undefined when the account is not stored.
 * Throws `malformed` or `internal` for a damaged index.
 */
export const storedAccount = (
  { tables, addresses }: Pick<IndexStore, 'tables' | 'addresses'>,
  address: Address,
): StoredAccount | undefined => {
  const id = addresses.find(address)
  const row = id === undefined ? undefined : accountRow(tables, id)
  if (!row) return undefined
  const code = row.code_hash ? storedCode(tables, row.code_hash) : undefined
  return { ...row, code: code ?? null, data: storedData(tables, row) ?? null }
}
