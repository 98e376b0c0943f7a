/** A stored transaction: the masterchain block that brought it and its place in that block's `Batch.transactions`. */
export interface TransactionPlace {
  mc_seqno: number
  index: number
}

/**
 * `complete`: begins at its true root and waits for nothing. `pending`: some message that was sent has not been taken yet.
 * `broken`: the transaction that sent the message to its root is not stored.
 */
export type TraceState = 'complete' | 'pending' | 'broken'

/**
 * A tree of transactions, joined by messages. All of it follows from the set of transactions, never from the order in
 * which they came.
 */
export interface TraceRow {
  /** Its first transaction, by which the trace is known. */
  root: TransactionPlace
  state: TraceState
  /** Transactions. */
  nodes: number
  /** Messages that are done: the one to the root, those that were taken, and those that left the chain. */
  edges: number
  /** Internal messages that were sent and whose taker is not stored. */
  pending_edges: number
  start_lt: bigint
  end_lt: bigint
  /** Seconds: TL-B `now` of the earliest and of the latest transaction. */
  start_utime: number
  end_utime: number
  mc_seqno_start: number
  mc_seqno_end: number
}

/** What one batch does to the traces. */
export interface TraceChanges {
  /** The root of the trace of each transaction of the batch, in the order of `Batch.transactions`. */
  roots: TransactionPlace[]
  /** Stored traces that became part of another one, whose row is in `traces`: all their transactions move to it. */
  moved: { from: TransactionPlace; to: TransactionPlace }[]
  /** Every trace that is new or changed, as it is now; ascending by root. */
  traces: TraceRow[]
}

/** What the trace join asks of the store. All answers are about what was stored before the batch. */
export interface TraceLookups {
  /** The stored transaction that sent the internal message with this hash. */
  sender(hash: Buffer): TransactionPlace | undefined
  /** The stored transaction that took the internal message with this hash. */
  receiver(hash: Buffer): TransactionPlace | undefined
  /** The trace that holds this stored transaction. */
  traceOf(transaction: TransactionPlace): TraceRow
}
