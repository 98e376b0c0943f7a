import type { AccountRecord, Listed, Page, StateRecord } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import { cellToBoc } from '../../ton/boc-writer.ts'
import type { Cell } from '../../ton/cell.ts'
import { decodeState } from '../codecs.ts'
import { readBalanceKey } from '../keys.ts'
import { someKeys } from '../scan.ts'
import { storedCode, storedData } from '../stored-account.ts'
import type { Tables } from '../tables.ts'
import { accountRow } from '../write-accounts.ts'
import type { Source } from './transaction-rows.ts'

/** IndexReader.accountStates */
export const queryAccountStates = ({ tables, addresses }: Source, wanted: readonly Address[]): AccountRecord[] => {
  const ids = new Set(wanted.map((address) => addresses.find(address)))
  return [...ids].flatMap((id) => {
    const row = id === undefined ? undefined : accountRow(tables, id)
    if (id === undefined || !row) return []
    const { data_held: _, ...record } = row
    return { ...record, address: addresses.of(id) }
  })
}

/** IndexReader.stateByHash */
export const queryState = (tables: Tables, hash: Buffer): StateRecord | undefined => {
  const bytes = tables.account_states.get(hash)
  return bytes && { state_hash: hash, ...decodeState(bytes) }
}

const bocOf = (tree: Cell | undefined): Buffer | undefined => tree && cellToBoc(tree)

/** IndexReader.codeOf */
export const queryCode = (tables: Tables, code_hash: Buffer): Buffer | undefined => bocOf(storedCode(tables, code_hash))

/** IndexReader.dataOf */
export const queryData = ({ tables, addresses }: Source, address: Address): Buffer | undefined => {
  const id = addresses.find(address)
  const row = id === undefined ? undefined : accountRow(tables, id)
  return row && bocOf(storedData(tables, row))
}

/** IndexReader.topAccounts */
export const queryTopAccounts = (
  { tables, addresses }: Source,
  { limit, offset, after }: Pick<Page, 'limit' | 'offset' | 'after'>,
): Listed<{ address: Address; balance: bigint }> => {
  const keys = someKeys(tables.accounts_by_balance, {}, 'asc', limit, { offset, after })
  const records = keys.map((key) => {
    const { balance, id } = readBalanceKey(key)
    return { address: addresses.of(id), balance }
  })
  return { records, next: records.length < limit ? null : (keys.at(-1) ?? null) }
}
