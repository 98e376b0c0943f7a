import type { PendingView, ShownTransaction } from '../../model/shown-trace.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'

/** An action of a trace, written. */
export interface WrittenAction {
  /** JSON of contracts/v3.md 5.6. */
  text: string
  /** The addresses in it, raw. */
  addresses: readonly string[]
}

export interface PendingActionsOptions {
  /** The types that the caller knows, as it wrote them (contracts/v3.md 6.1). */
  supported: readonly string[]
  /** Tells what accounts are, where there is one. */
  index: IndexReader | undefined
  /** Writes a transaction of the trace, where those of an action are to stand in it. */
  transactionText?: (record: ShownTransaction) => string
}

/** Tells what a trace does that has not happened, or not wholly, by start_lt and end_lt ascending. */
export type PendingActions = (view: PendingView, options: PendingActionsOptions) => readonly WrittenAction[]

/** Nothing tells them. */
export const noActions: PendingActions = () => []
