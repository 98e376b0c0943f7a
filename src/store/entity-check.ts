import { addressIdOf } from './addresses.ts'
import { decodeEntity, ENTITY_KINDS } from './entity-codec.ts'
import { entityEntries } from './entity-entries.ts'
import { kindsAt, saleHolding } from './entity-rows.ts'
import type { Entry } from './entries.ts'
import { transactionRow } from './find.ts'
import type { IndexStore } from './index-store.ts'
import { readTxKey } from './keys.ts'
import { keysIn } from './scan.ts'
import type { TableName, Tables } from './tables.ts'
import { transferEntries } from './transfers.ts'
import { transferAt } from './write-transfers.ts'

/** Reads every row of what accounts are and of transfers, and compares the entries of lists with them. */

type Store = Pick<IndexStore, 'tables' | 'addresses'>

/** Wanted entries that are not there. */
export function* missingEntries(tables: Tables, entries: readonly Entry[], what: string): Generator<string> {
  for (const [table, key] of entries) if (!tables[table].doesExist(key)) yield `${what} lacks an entry of ${table}`
}

/** Every wanted entry is there: there are others when there are more. */
export function* surplusEntries(table: TableName, found: number, wanted: number): Generator<string> {
  if (found > wanted) yield `${table} has ${found - wanted} entries too many`
}

/**
 * Differences between rows of entities and their lists, a line for each: none in a sound index.
 * @throws TonlithError `malformed` for a row that cannot be read
 */
export function* entityFaults({ tables, addresses }: Store): Generator<string> {
  const idOf = addressIdOf(addresses)
  let [entries, accounts] = [0, 0]
  for (const key of keysIn(tables.entities, {}, 'asc')) {
    const [kind, id] = [ENTITY_KINDS[key[0]!]!, key.readUInt32BE(1)]
    const row = decodeEntity(kind, tables.entities.get(key)!, addresses)
    const kinds = kindsAt(tables, id)
    const what = `the row ${kind} of address ${id}`
    if (!kinds.includes(kind)) yield `${what} is not noted`
    if (kinds[0] === kind) accounts++
    const held = row.entity._ === 'nft_item' ? row.entity.owner_address : null
    const sale = saleHolding({ tables, addresses }, id, held)
    const wanted = entityEntries({ ...row, id }, idOf, sale?.entity)
    entries += wanted.length
    yield* missingEntries(tables, wanted, what)
  }
  yield* surplusEntries('entity_lists', tables.entity_lists.getCount(), entries)
  yield* surplusEntries('entity_kinds', tables.entity_kinds.getCount(), accounts)
}

/**
 * Differences between transfers, their lists and their transactions, a line for each: none in a sound index.
 * @throws TonlithError `malformed` for a row that cannot be read
 */
export function* transferFaults({ tables }: Store): Generator<string> {
  let entries = 0
  for (const key of keysIn(tables.transfers, {}, 'asc')) {
    const row = transferAt(tables, key)!
    const transaction = transactionRow(tables, readTxKey(key))
    const what = `the transfer at ${key.toString('hex')}`
    if (!transaction) {
      yield `${what} is of no transaction`
      continue
    }
    if (transaction.account !== row.account) yield `${what} is of another account`
    const wanted = transferEntries(row, { key, lt: transaction.lt, now: transaction.now })
    entries += wanted.length
    yield* missingEntries(tables, wanted, what)
  }
  yield* surplusEntries('transfer_lists', tables.transfer_lists.getCount(), entries)
}
