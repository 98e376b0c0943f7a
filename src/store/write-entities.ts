import type { DetectedAccount, EntityKind } from '../model/entities.ts'
import type { Address } from '../ton/address.ts'
import { decodeEntity, type EntityRow, encodeEntity } from './entity-codec.ts'
import { entityEntries } from './entity-entries.ts'
import { encodeKinds, entityAt, entityKey, kindsAt, saleHolding } from './entity-rows.ts'
import type { Entry } from './entries.ts'
import type { IndexStore } from './index-store.ts'
import { u32Key } from './keys.ts'
import { accountRow } from './write-accounts.ts'
import { putEntries, removeEntries, sorted } from './write-entries.ts'

type Store = Pick<IndexStore, 'tables' | 'addresses'>

/** A row of an account that changes; undefined where it has none. */
interface RowChange {
  id: number
  kind: EntityKind
  before: EntityRow | undefined
  after: EntityRow | undefined
  bytes: Buffer | undefined
}

/** What a batch changes: rows, and the kinds of accounts of which these change. */
interface Changes {
  rows: RowChange[]
  kinds: Map<number, EntityKind[]>
}

const noteAccount = (store: Store, detected: DetectedAccount, changes: Changes): void => {
  const { tables, addresses } = store
  const { address, entities, ...state } = detected
  const known = addresses.find(address)
  const held = known === undefined ? [] : kindsAt(tables, known)
  if (held.length === 0 && entities.length === 0) return
  const id = addresses.intern(address)
  const latest = accountRow(tables, id)
  if (latest && latest.last_transaction.lt > state.last_transaction_lt) return
  const rows = new Map(entities.map((entity) => [entity._, { ...state, entity }]))
  if (held.length !== rows.size || held.some((kind) => !rows.has(kind))) changes.kinds.set(id, [...rows.keys()])
  for (const kind of new Set([...held, ...rows.keys()])) {
    const stored = tables.entities.get(entityKey(kind, id))
    const after = rows.get(kind)
    const bytes = after && encodeEntity(after, addresses)
    if (stored && bytes?.equals(stored)) continue
    changes.rows.push({ id, kind, before: stored && decodeEntity(kind, stored, addresses), after, bytes })
  }
}

/** The item that a sale or an auction names. */
const itemOf = (row: EntityRow | undefined): Address[] =>
  row?.entity._ === 'getgems_sale' || row?.entity._ === 'getgems_auction' ? [row.entity.nft_address] : []

/** Items of which the seller may change: those that change themselves, and those that changed sales name. */
const affectedItems = ({ addresses }: Store, rows: readonly RowChange[]): Set<number> => {
  const items = rows.filter(({ kind }) => kind === 'nft_item').map(({ id }) => id)
  const named = rows.flatMap(({ before, after }) => [...itemOf(before), ...itemOf(after)])
  return new Set([...items, ...named.map((address) => addresses.find(address)).filter((id) => id !== undefined)])
}

/** The entries of an item as it and its sale stand in the tables. */
const itemEntries = (store: Store, id: number): Entry[] => {
  const row = entityAt(store, 'nft_item', id)
  if (!row) return []
  const sale = saleHolding(store, id, row.entity.owner_address)
  return entityEntries({ ...row, id }, store.addresses.intern, sale?.entity)
}

const entriesOf = ({ addresses }: Store, id: number, row: EntityRow | undefined): Entry[] =>
  row ? entityEntries({ ...row, id }, addresses.intern) : []

/** Takes away the entries that are not among the new ones, and puts those that are not among the old ones. */
const moveEntries = ({ tables }: Store, before: readonly Entry[], after: readonly Entry[]): void => {
  const nameOf = ([table, key]: Entry): string => table + key.toString('latin1')
  const [old, wanted] = [new Set(before.map(nameOf)), new Set(after.map(nameOf))]
  removeEntries(tables, sorted(before.filter((entry) => !wanted.has(nameOf(entry)))))
  putEntries(tables, sorted(after.filter((entry) => !old.has(nameOf(entry)))))
}

const writeRows = ({ tables }: Store, { rows, kinds }: Changes): void => {
  for (const { id, kind, bytes } of rows) {
    const key = entityKey(kind, id)
    if (bytes) tables.entities.putSync(key, bytes)
    else tables.entities.removeSync(key)
  }
  for (const [id, held] of kinds) {
    if (held.length > 0) tables.entity_kinds.putSync(u32Key(id), encodeKinds(held))
    else tables.entity_kinds.removeSync(u32Key(id))
  }
}

/**
 * Writes what accounts are: all rows of each of them are replaced. What is older than the account's stored state is left
 * out, what did not change is not written. To be called behind writeAccounts, in the same transaction.
 */
export const writeEntities = (store: Store, detected: readonly DetectedAccount[]): void => {
  const changes: Changes = { rows: [], kinds: new Map() }
  for (const account of detected) noteAccount(store, account, changes)
  if (changes.rows.length === 0) return
  const items = [...affectedItems(store, changes.rows)]
  const plain = changes.rows.filter(({ kind }) => kind !== 'nft_item')
  const before = [
    ...plain.flatMap(({ id, before }) => entriesOf(store, id, before)),
    ...items.flatMap((id) => itemEntries(store, id)),
  ]
  writeRows(store, changes)
  const after = [
    ...plain.flatMap(({ id, after }) => entriesOf(store, id, after)),
    ...items.flatMap((id) => itemEntries(store, id)),
  ]
  moveEntries(store, before, after)
}
