import type { NotedAction } from '../model/noted-action.ts'
import type { TraceRow, TransactionKey } from '../model/trace-changes.ts'
import { type ActionAccounts, HAS_ANCESTORS, scanActions } from './action-scan.ts'
import { typeNumber } from './action-types.ts'
import type { Entry } from './entries.ts'
import { HASH_PREFIX, hashKey, txKey, u8Key, u32u64Key, u64Key } from './keys.ts'
import { type RowWriter, rowWriter } from './row-bytes.ts'
import type { Tables } from './tables.ts'
import { removeEntries } from './write-entries.ts'

/** An action as its trace's row has it. */
export interface ActionRow {
  /** Its id: the first HASH_PREFIX bytes count, and more of it is not kept. */
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
  const actions = noted.map(({ action_id: id, type, ancestor_type, transactions, accounts }): ActionRow => {
    const acting = transactions.map((place) => own[place]!)
    const others: number[] = []
    for (const account of accounts) {
      const id = intern(account)
      if (!isSettled || !holding.has(id)) listed.add(id)
      if (!acting.includes(id)) others.push(id)
    }
    return { id, type: typeNumber(type), ancestors: ancestor_type.map(typeNumber), transactions, accounts: others }
  })
  return { listed: [...listed].sort((a, b) => a - b), actions }
}

const writeList = (row: RowWriter, list: readonly number[]): RowWriter => {
  row.varint(list.length)
  for (const value of list) row.varint(value)
  return row
}

/** Where rows are written. */
const ROOM = Buffer.allocUnsafeSlow(1 << 12)

/** Accounts stand in front, each once; actions have their places there. The next call overwrites what this one gives. */
export const encodeActions = ({ listed, actions }: ActionsRow): Buffer => {
  const places = new Map(listed.map((id, place) => [id, place]))
  for (const { accounts } of actions) for (const id of accounts) if (!places.has(id)) places.set(id, places.size)
  const row = rowWriter(ROOM).varint(listed.length).varint(places.size)
  for (const id of places.keys()) row.u32(id)
  row.varint(actions.length)
  for (const { id, type, ancestors, transactions, accounts } of actions) {
    row.u8(type | (ancestors.length > 0 ? HAS_ANCESTORS : 0)).bytes(id, HASH_PREFIX)
    if (ancestors.length > 0) writeList(row, ancestors)
    writeList(row, transactions)
    row.varint(accounts.length)
    for (const account of accounts) row.varint(places.get(account)!)
  }
  return row.end()
}

/** Reads what encodeActions wrote. Throws `malformed`. */
export const decodeActions = (bytes: Buffer): ActionsRow => {
  let front: ActionAccounts = { ids: [], listed: 0 }
  const actions: ActionRow[] = []
  scanActions(
    bytes,
    (accounts) => {
      front = accounts
    },
    (action) =>
      actions.push({
        id: action.id(),
        type: action.type,
        ancestors: action.ancestors(),
        transactions: action.transactions(),
        accounts: action.accounts().map((place) => front.ids[place]!),
      }),
  )
  return { listed: front.ids.slice(0, front.listed), actions }
}

/** The bytes of the row of a trace, which the next read overwrites. */
export const actionBytes = ({ actions }: Pick<Tables, 'actions'>, root: TransactionKey): Buffer | undefined =>
  actions.getBinaryFast(txKey(root))

/** The row of a trace. Throws `malformed`. */
export const actionsAt = (tables: Pick<Tables, 'actions'>, root: TransactionKey): ActionsRow | undefined => {
  const bytes = actionBytes(tables, root)
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
  const entries: Entry[] = []
  for (const type of new Set(actions.map(({ type }) => type))) {
    entries.push(['actions_by_type', u8Key(type, byLt)], ['actions_by_type_utime', u8Key(type, byTime)])
  }
  for (const { id } of actions) entries.push(['actions_by_id', hashKey(id, place)])
  for (const account of listed) entries.push(['actions_by_account', u32u64Key(account, end_lt, place)])
  return entries
}

/** Removes what is noted of the actions of a trace, which stands in the tables as it is given. */
export const removeActions = (tables: Tables, trace: TraceRow): void => {
  const row = actionsAt(tables, trace.root)
  if (!row) return
  removeEntries(tables, actionEntries(trace, row))
  tables.actions.removeSync(txKey(trace.root))
}
