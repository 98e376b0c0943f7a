import type { NotedAction } from '../model/noted-action.ts'
import type { TraceRow, TransactionKey } from '../model/trace-changes.ts'
import { typeNumber } from './action-types.ts'
import type { Entry } from './entries.ts'
import { HASH_PREFIX, hashKey, txKey, u32u64Key, u64Key } from './keys.ts'
import { type RowReader, type RowWriter, readRow, rowWriter } from './row-bytes.ts'
import type { Tables } from './tables.ts'
import { removeEntries } from './write-entries.ts'

/** An action as its trace's row has it. */
export interface ActionRow {
  /** The first bytes of its id. */
  id: Buffer
  /** Numbers of types (action-types.ts). */
  type: number
  ancestors: readonly number[]
  /** Places of its transactions among those of the trace, ascending. */
  transactions: readonly number[]
  /** Interned accounts in whose feed it stands, beside those of its transactions. */
  accounts: readonly number[]
}

/** Value of `actions`. */
export interface ActionsRow {
  /** Interned accounts under which the trace stands in `actions_by_account`. */
  listed: readonly number[]
  /** By end_lt and id, ascending. */
  actions: readonly ActionRow[]
}

/** What the row of a trace is made of, beside its actions. */
export interface TraceAccounts {
  /** Interned accounts of its transactions, by their places. */
  own: readonly number[]
  /** True where traces_by_account has the trace for these, at its end_lt. */
  isSettled: boolean
  intern(address: NotedAction['accounts'][number]): number
}

/** The row of a trace; accounts that are new are interned. */
export const actionsRow = (noted: readonly NotedAction[], { own, isSettled, intern }: TraceAccounts): ActionsRow => {
  const holding = new Set(own)
  const listed = new Set<number>()
  const actions = noted.map(({ action_id, type, ancestor_type, transactions, accounts }): ActionRow => {
    const acting = new Set(transactions.map((place) => own[place]!))
    const ids = accounts.map(intern)
    for (const id of ids) if (!isSettled || !holding.has(id)) listed.add(id)
    return {
      id: Buffer.from(action_id.subarray(0, HASH_PREFIX)),
      type: typeNumber(type),
      ancestors: ancestor_type.map(typeNumber),
      transactions,
      accounts: ids.filter((id) => !acting.has(id)),
    }
  })
  return { listed: [...listed].sort((a, b) => a - b), actions }
}

const HAS_ANCESTORS = 0x80

const writeList = (row: RowWriter, list: readonly number[]): RowWriter => {
  row.varint(list.length)
  for (const value of list) row.varint(value)
  return row
}

const readList = (row: RowReader): number[] => Array.from({ length: row.varint() }, row.varint)

/** Accounts stand in front, each once; actions have their places there. */
export const encodeActions = ({ listed, actions }: ActionsRow): Buffer => {
  const places = new Map(listed.map((id, place) => [id, place]))
  for (const { accounts } of actions) for (const id of accounts) if (!places.has(id)) places.set(id, places.size)
  const row = rowWriter().varint(listed.length).varint(places.size)
  for (const id of places.keys()) row.u32(id)
  row.varint(actions.length)
  for (const { id, type, ancestors, transactions, accounts } of actions) {
    row.u8(type | (ancestors.length > 0 ? HAS_ANCESTORS : 0)).bytes(id)
    if (ancestors.length > 0) writeList(row, ancestors)
    writeList(row, transactions)
    writeList(
      row,
      accounts.map((account) => places.get(account)!),
    )
  }
  return row.end()
}

/** Reads what encodeActions wrote. Throws `malformed`. */
export const decodeActions = (bytes: Buffer): ActionsRow =>
  readRow('actions', bytes, (row) => {
    const listed = row.varint()
    const ids = Array.from({ length: row.varint() }, row.u32)
    const actions = Array.from({ length: row.varint() }, (): ActionRow => {
      const head = row.u8()
      const id = row.bytes(HASH_PREFIX)
      const ancestors = head & HAS_ANCESTORS ? readList(row) : []
      const transactions = readList(row)
      return {
        id,
        type: head & ~HAS_ANCESTORS,
        ancestors,
        transactions,
        accounts: readList(row).map((place) => ids[place]!),
      }
    })
    return { listed: ids.slice(0, listed), actions }
  })

/** The row of a trace. Throws `malformed`. */
export const actionsAt = ({ actions }: Pick<Tables, 'actions'>, root: TransactionKey): ActionsRow | undefined => {
  const bytes = actions.getBinaryFast(txKey(root))
  return bytes && decodeActions(bytes)
}

/** Beginning of the keys of a type, in both lists by type. */
export const typePrefix = (type: number): Buffer => Buffer.of(type)

/** Entries of the actions of a trace. */
export const actionEntries = (
  { root, end_lt, end_utime }: Pick<TraceRow, 'root' | 'end_lt' | 'end_utime'>,
  { listed, actions }: ActionsRow,
): Entry[] => {
  const place = txKey(root)
  const [byLt, byTime] = [u64Key(end_lt, place), u32u64Key(end_utime, end_lt, place)]
  const types = [...new Set(actions.map(({ type }) => type))]
  return [
    ...types.flatMap((type): Entry[] => [
      ['actions_by_type', Buffer.concat([typePrefix(type), byLt])],
      ['actions_by_type_utime', Buffer.concat([typePrefix(type), byTime])],
    ]),
    ...actions.map(({ id }): Entry => ['actions_by_id', hashKey(id, place)]),
    ...listed.map((account): Entry => ['actions_by_account', u32u64Key(account, end_lt, place)]),
  ]
}

/** Removes what is noted of the actions of a trace, which stands in the tables as it is given. */
export const removeActions = (tables: Tables, trace: TraceRow): void => {
  const row = actionsAt(tables, trace.root)
  if (!row) return
  removeEntries(tables, actionEntries(trace, row))
  tables.actions.removeSync(txKey(trace.root))
}
