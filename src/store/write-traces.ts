import type { JoinedTransaction, TraceChanges, TraceLookups, TraceRow, TransactionKey } from '../model/trace-changes.ts'
import { removeActions } from './action-rows.ts'
import { decodeTrace, decodeTraceEnd, decodeTraceRootHash, encodeTrace } from './codecs.ts'
import { type Entry, traceAccountEntry, traceEntries } from './entries.ts'
import { transactionRow } from './find.ts'
import { hashKey, memberKey, readTxKey, TRANSACTION_KEY_SIZE, txKey, u32Key } from './keys.ts'
import { keysIn, under } from './scan.ts'
import { storedTransaction } from './stored-transaction.ts'
import { NO_VALUE, type Tables } from './tables.ts'
import { putEntries, removeEntries } from './write-entries.ts'

/** A stored trace. */
export const traceAt = (tables: Tables, root: TransactionKey): TraceRow | undefined => {
  const bytes = tables.traces.getBinaryFast(txKey(root))
  return bytes && decodeTrace(root, bytes)
}

/** When a stored trace ended. */
export const traceEndAt = (
  tables: Tables,
  root: TransactionKey,
): Pick<TraceRow, 'end_lt' | 'end_utime'> | undefined => {
  const bytes = tables.traces.getBinaryFast(txKey(root))
  return bytes && decodeTraceEnd(bytes)
}

/** Hash of the root transaction of a stored trace. */
export const traceRootHash = (tables: Tables, root: TransactionKey): Buffer | undefined => {
  const bytes = tables.traces.getBinaryFast(txKey(root))
  return bytes && decodeTraceRootHash(bytes)
}

/** Root of the trace of a stored transaction. */
export const rootOf = (tables: Tables, transaction: TransactionKey): TransactionKey => {
  const root = tables.trace_of.getBinaryFast(txKey(transaction))
  return root ? readTxKey(root) : transaction
}

/** The transactions of a trace, ascending; its root is the first but for odd orders of lt across masterchain blocks. */
export const transactionsOfTrace = (tables: Tables, root: TransactionKey): TransactionKey[] => {
  const others = Array.from(keysIn(tables.trace_txs, under(txKey(root)), 'asc'), (key) =>
    readTxKey(key, TRANSACTION_KEY_SIZE),
  )
  const place = others.findIndex((transaction) => transaction > root)
  others.splice(place < 0 ? others.length : place, 0, root)
  return others
}

const joinedTransaction = (tables: Tables, key: TransactionKey): JoinedTransaction | undefined => {
  const stored = storedTransaction(tables, key)
  if (!stored) return undefined
  const { row, messages } = stored
  return { id: { lt: row.lt, hash: row.hash }, now: row.now, ...messages }
}

/** The stored traces, for the join. */
export const traceLookups = (tables: Tables): Omit<TraceLookups, 'senderOf' | 'receiverOf'> => ({
  rootOf: (transaction) => rootOf(tables, transaction),
  trace: (root) => traceAt(tables, root),
  transactionsOf: (root) => transactionsOfTrace(tables, root),
  rootsIn: (mc_seqno) => Array.from(keysIn(tables.traces, under(u32Key(mc_seqno)), 'asc'), (key) => readTxKey(key)),
  transaction: (key) => joinedTransaction(tables, key),
})

/** The interned account of a transaction whose row need not be read. */
type AccountOf = (transaction: TransactionKey) => number | undefined

/** Interned accounts of those transactions of a trace that are stored, each once. */
export const accountsOfTrace = (
  tables: Tables,
  transactions: Iterable<TransactionKey>,
  accountOf: AccountOf = () => undefined,
): Set<number> => {
  const accounts = new Set<number>()
  for (const transaction of transactions) {
    const account = accountOf(transaction) ?? transactionRow(tables, transaction)?.account
    if (account !== undefined) accounts.add(account)
  }
  return accounts
}

/** Links a transaction to the root of its trace. A root has no link, and needs none. */
const linkMember = (tables: Tables, root: TransactionKey, transaction: TransactionKey): void => {
  if (root === transaction) return
  tables.trace_of.putSync(txKey(transaction), txKey(root))
  tables.trace_txs.putSync(memberKey(root, transaction), NO_VALUE)
}

/** Removes the name by which a trace is found of which the root is not stored any more. */
export const forgetRootName = (tables: Tables, { root, root_hash }: Pick<TraceRow, 'root' | 'root_hash'>): void => {
  tables.tx_by_hash.removeSync(hashKey(root_hash, txKey(root)))
}

/** Removes a trace with its entries, its links and what is noted of its actions; its transactions stay. */
export const removeTrace = (tables: Tables, trace: TraceRow): void => {
  removeActions(tables, trace)
  const members = transactionsOfTrace(tables, trace.root)
  for (const account of accountsOfTrace(tables, members)) removeEntries(tables, [traceAccountEntry(trace, account)])
  for (const member of members) {
    if (member === trace.root) continue
    tables.trace_of.removeSync(txKey(member))
    tables.trace_txs.removeSync(memberKey(trace.root, member))
  }
  removeEntries(tables, traceEntries(trace))
  tables.traces.removeSync(txKey(trace.root))
}

const sameKey = (a: Entry, b: Entry): boolean => a[1].equals(b[1])

/** Moves the entries of a trace from where `old` has them to where `trace` has them. */
const moveEntries = (tables: Tables, old: TraceRow | undefined, trace: TraceRow): void => {
  const entries = traceEntries(trace)
  const before = old ? traceEntries(old) : []
  removeEntries(
    tables,
    before.filter((entry, i) => !sameKey(entry, entries[i]!)),
  )
  putEntries(tables, entries)
}

/**
 * Puts a trace into the feeds of its accounts. While messages are under way it stands in one place, and only new members
 * are looked at; once it ends it is moved as a whole.
 */
const feedAccounts = (
  tables: Tables,
  old: TraceRow | undefined,
  trace: TraceRow,
  added: readonly TransactionKey[],
  accountOf: AccountOf,
): void => {
  const moved = old !== undefined && !sameKey(traceAccountEntry(old, 0), traceAccountEntry(trace, 0))
  const accounts = accountsOfTrace(tables, moved ? transactionsOfTrace(tables, trace.root) : added, accountOf)
  for (const account of accounts) {
    if (moved) removeEntries(tables, [traceAccountEntry(old, account)])
    putEntries(tables, [traceAccountEntry(trace, account)])
  }
}

/**
 * Writes what a batch does to the traces. Its transactions must be written already. Of the actions of traces that changed
 * nothing is noted any more.
 */
export const writeTraces = (
  tables: Tables,
  { removed, put: traces, members }: TraceChanges,
  accountOf: AccountOf,
): void => {
  for (const root of removed) {
    const trace = traceAt(tables, root)
    if (!trace) continue
    removeTrace(tables, trace)
    if (!tables.transactions.doesExist(txKey(root))) forgetRootName(tables, trace)
  }
  for (const { root, transaction } of members) linkMember(tables, root, transaction)
  const added = Map.groupBy(members, ({ root }) => root)
  for (const trace of traces) {
    const old = traceAt(tables, trace.root)
    if (old) removeActions(tables, old)
    tables.traces.putSync(txKey(trace.root), encodeTrace(trace))
    moveEntries(tables, old, trace)
    const joining = added.get(trace.root)?.map(({ transaction }) => transaction) ?? []
    feedAccounts(tables, old, trace, joining, accountOf)
  }
}
