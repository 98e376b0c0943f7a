import { compareBigints } from '../common/bigint-order.ts'
import type { Batch, BatchTransaction } from '../model/batch.ts'
import type { NoteActions, StoredTransaction } from '../model/noted-action.ts'
import { MAX_CLASSIFIED } from '../model/trace.ts'
import { type TraceChanges, type TraceRow, type TransactionKey, transactionKey } from '../model/trace-changes.ts'
import { actionEntries, actionsRow, encodeActions } from './action-rows.ts'
import type { Entry } from './entries.ts'
import { transactionRow } from './find.ts'
import { hasScope } from './index-scope.ts'
import type { IndexStore } from './index-store.ts'
import { txKey } from './keys.ts'
import { readCell } from './transaction-cells.ts'
import { putEntries, sorted } from './write-entries.ts'
import { transactionsOfTrace } from './write-traces.ts'

type Store = Pick<IndexStore, 'tables' | 'addresses'>

/**
 * Whether the actions of a trace are noted: they are once no message is under way. In an index of chosen accounts some
 * always are, of which nobody will know that they arrived: there all traces count.
 */
const isNoted = ({ nodes, pending_edges }: TraceRow, ofChosen: boolean): boolean =>
  nodes <= MAX_CLASSIFIED && (pending_edges === 0 || ofChosen)

/** Transactions that need not be read, by their places. */
export type ReadTransactions = ReadonlyMap<TransactionKey, BatchTransaction>

/** The transactions of a batch by their places. */
export const transactionsIn = ({ mc, transactions }: Pick<Batch, 'mc' | 'transactions'>): ReadTransactions =>
  new Map(transactions.map((transaction) => [transactionKey(mc.seqno, transaction.index), transaction]))

/** The transactions of a trace, and the interned account of each. */
interface Members {
  own: number[]
  transactions: StoredTransaction[]
}

/** Those that are stored. */
const membersAt = ({ tables, addresses }: Store, keys: readonly TransactionKey[], known: ReadTransactions): Members => {
  const members: Members = { own: [], transactions: [] }
  const add = (own: number, transaction: StoredTransaction): void => {
    members.own.push(own)
    members.transactions.push(transaction)
  }
  for (const key of keys) {
    const read = known.get(key)
    if (read) {
      add(addresses.intern(read.account), { workchain: read.account.workchain, cell: read.cell, read })
      continue
    }
    const row = transactionRow(tables, key)
    const cell = row && readCell(tables, key, row)
    if (row && cell) add(row.account, { workchain: addresses.of(row.account).workchain, cell })
  }
  return members
}

/**
 * Notes what a trace did, if all of it is there still. Gives its entries, which are still to be put.
 * @param keys its transactions, ascending
 */
const noteTrace = (
  store: Store,
  trace: TraceRow,
  keys: readonly TransactionKey[],
  known: ReadTransactions,
  note: NoteActions,
): Entry[] => {
  const { own, transactions } = membersAt(store, keys, known)
  if (transactions.length < trace.nodes) return []
  const noted = note({ trace_id: trace.root_hash, transactions })
  if (noted.length === 0) return []
  const row = actionsRow(noted, { own, isSettled: trace.pending_edges === 0, intern: store.addresses.intern })
  store.tables.actions.putSync(txKey(trace.root), encodeActions(row))
  return actionEntries(trace, row)
}

/**
 * Notes what traces did that are stored with all their transactions, and of whose actions nothing is noted. To be called
 * behind writeEntities, in the same transaction.
 * @param known transactions that need not be read
 */
export const writeActions = (
  store: Store,
  { put: traces, members }: Pick<TraceChanges, 'put' | 'members'>,
  known: ReadTransactions,
  note: NoteActions,
): void => {
  const { tables } = store
  const ofChosen = hasScope(tables)
  const added = Map.groupBy(members, ({ root }) => root)
  const transactionsOf = ({ root, nodes }: TraceRow): readonly TransactionKey[] => {
    const fresh = added.get(root)
    return fresh?.length === nodes
      ? fresh.map(({ transaction }) => transaction).sort(compareBigints)
      : transactionsOfTrace(tables, root)
  }
  const entries: Entry[] = []
  for (const trace of traces) {
    if (!isNoted(trace, ofChosen)) continue
    for (const entry of noteTrace(store, trace, transactionsOf(trace), known, note)) entries.push(entry)
  }
  putEntries(tables, sorted(entries))
}
