import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { Action, ActionType } from './action.ts'
import type { BatchTransaction } from './batch.ts'

/** What an index notes of an action, so that it is found; all else is told by classifying its trace again. */
export interface NotedAction extends Pick<Action, 'action_id'> {
  type: ActionType
  ancestor_type: readonly ActionType[]
  /** Places of its transactions among those of the trace, ascending. */
  transactions: readonly number[]
  /** The accounts in whose feed it stands. */
  accounts: readonly Address[]
}

/** A transaction of a stored trace. */
export interface StoredTransaction {
  workchain: number
  cell: Cell
  /** What is read of it already, where it was just written. */
  read?: BatchTransaction | undefined
}

/** A stored trace that is to be classified. */
export interface StoredTrace {
  /** Hash of the root transaction. */
  trace_id: Buffer
  transactions: readonly StoredTransaction[]
}

/** Tells what a stored trace did: its actions by end_lt and id, ascending. It may look into the index as it is now. */
export type NoteActions = (trace: StoredTrace) => NotedAction[]
