import type { Batch } from '../model/batch.ts'
import type { NoteActions } from '../model/noted-action.ts'
import { MAX_CLASSIFIED } from '../model/trace.ts'
import { type TraceRow, type TransactionKey, transactionKey } from '../model/trace-changes.ts'
import type { Cell } from '../ton/cell.ts'
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

/** The cells of a batch's transactions by their places. */
export const cellsOf = ({ mc, transactions }: Pick<Batch, 'mc' | 'transactions'>): Map<TransactionKey, Cell> =>
  new Map(transactions.map(({ index, cell }) => [transactionKey(mc.seqno, index), cell]))

/** Notes what a trace did, if all of it is there still. Gives its entries, which are still to be put. */
const noteTrace = (
  { tables, addresses }: Store,
  trace: TraceRow,
  cells: ReadonlyMap<TransactionKey, Cell>,
  note: NoteActions,
): Entry[] => {
  const own: number[] = []
  const members = trace.nodes === 1 ? [trace.root] : transactionsOfTrace(tables, trace.root)
  const transactions = members.flatMap((key) => {
    const row = transactionRow(tables, key)
    const cell = cells.get(key) ?? (row && readCell(tables, key, row))
    if (!row || !cell) return []
    own.push(row.account)
    return [{ workchain: addresses.of(row.account).workchain, cell }]
  })
  if (transactions.length < trace.nodes) return []
  const noted = note({ trace_id: trace.root_hash, transactions })
  if (noted.length === 0) return []
  const row = actionsRow(noted, { own, isSettled: trace.pending_edges === 0, intern: addresses.intern })
  tables.actions.putSync(txKey(trace.root), encodeActions(row))
  return actionEntries(trace, row)
}

/**
 * Notes what traces did that are stored with all their transactions, and of whose actions nothing is noted. To be called
 * behind writeEntities, in the same transaction.
 * @param cells cells of transactions that need not be read
 */
export const writeActions = (
  store: Store,
  traces: readonly TraceRow[],
  cells: ReadonlyMap<TransactionKey, Cell>,
  note: NoteActions,
): void => {
  const { tables } = store
  const ofChosen = hasScope(tables)
  const entries = traces.flatMap((trace) => (isNoted(trace, ofChosen) ? noteTrace(store, trace, cells, note) : []))
  putEntries(tables, sorted(entries))
}
