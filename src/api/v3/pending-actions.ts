import { bytesKey } from '../../common/bytes-key.ts'
import { inTurns } from '../../common/steps.ts'
import { classifyKnown } from '../../indexer/known-accounts.ts'
import type { Action } from '../../model/action.ts'
import type { KnownAccount } from '../../model/known-account.ts'
import type { PendingView, ShownTransaction } from '../../model/shown-trace.ts'
import type { TraceTransaction } from '../../model/trace.ts'
import { readTraceTransaction } from '../../model/trace-transaction.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { seenActions, supportedTypes } from './action-types.ts'
import { goJson } from './go-json.ts'
import { withTransactions, writeAction } from './serialize/actions.ts'
import type { TextWriter } from './text-writer.ts'

/** An action of a trace, written. */
export interface WrittenAction {
  /** JSON of contracts/v3.md 5.6. */
  text: string
  /** The addresses in it, raw. */
  addresses: readonly string[]
  end_lt: bigint
}

export interface PendingActionsOptions extends Pick<TextWriter, 'rest'> {
  /** The types that the caller knows, as it wrote them (contracts/v3.md 6.1). */
  supported: readonly string[]
  /** Tells what accounts are, where there is one. */
  index: IndexReader | undefined
  /** What the accounts are that it does not know, by raw address. */
  known: ReadonlyMap<string, KnownAccount>
  /** Whether each names the accounts in whose feed it stands. */
  accounts?: boolean
  /** Writes a transaction of the trace, where those of an action are to stand in it. */
  transactionText?: (record: ShownTransaction) => string
}

/**
 * Tells what a trace does that has not happened, or not wholly, by start_lt and end_lt ascending; by what is
 * known of the accounts, in slices of time. Throws what the index throws.
 */
export const pendingActions = async (
  { trace: shown, transactions }: PendingView,
  { supported, index, known, accounts, transactionText, rest }: PendingActionsOptions,
): Promise<readonly WrittenAction[]> => {
  const told: TraceTransaction[] = []
  for (const { account, cell } of transactions) {
    told.push(readTraceTransaction(account.workchain, cell))
    await rest()
  }
  const [root] = told
  if (!root) return []
  const trace = { trace_id: root.hash, transactions: told }
  const { actions } = await inTurns(classifyKnown(index, trace, { known }), rest)
  const records = new Map(transactions.map((record) => [bytesKey(record.id.hash), record]))
  const recordsOf = (action: Action): ShownTransaction[] =>
    action.transactions.map((hash) => records.get(bytesKey(hash))).filter((record) => record !== undefined)
  const written: WrittenAction[] = []
  for (const action of seenActions(actions, supportedTypes(supported))) {
    const own = recordsOf(action)
    const finality = own.some(({ emulated }) => emulated) ? 'pending' : 'finalized'
    const { wire, addresses } = writeAction(action, { ...shown, trace_id: shown.root_hash, finality }, accounts)
    const text = goJson(wire)
    const full = transactionText && withTransactions(text, own.map(transactionText))
    written.push({ text: full ?? text, addresses, end_lt: action.end_lt })
    await rest()
  }
  return written
}
