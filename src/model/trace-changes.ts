import type { Address } from '../ton/address.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import type { Batch, BatchTransaction } from './batch.ts'

/**
 * Place of a transaction in the index: `mc_seqno << 24 | BatchTransaction.index`. It does not depend on the order in
 * which masterchain blocks arrive, nor on what an index keeps of them; ascending within one masterchain block is
 * ascending by lt, workchain, account.
 */
export type TransactionKey = bigint

/** Places in a masterchain block. */
const PLACES = 2 ** 24
/** Below it a number holds every bit of a key: that is several times as fast, and every list reads many keys. */
const FIRST_LARGE_SEQNO = 2 ** 29

/** The key of the transaction with this `index` in masterchain block `mc_seqno`. */
export const transactionKey = (mc_seqno: number, index: number): TransactionKey =>
  mc_seqno < FIRST_LARGE_SEQNO ? BigInt(mc_seqno * PLACES + index) : (BigInt(mc_seqno) << 24n) | BigInt(index)

/** The masterchain block of a transaction's key. */
export const seqnoOfKey = (key: TransactionKey): number => {
  const number = Number(key)
  return number <= Number.MAX_SAFE_INTEGER ? Math.floor(number / PLACES) : Number(key >> 24n)
}

/** The place of a transaction in its masterchain block. */
export const indexOfKey = (key: TransactionKey): number => {
  const number = Number(key)
  return number <= Number.MAX_SAFE_INTEGER ? number % PLACES : Number(key & 0xffffffn)
}

/**
 * `complete`: root known and no message under way; `pending`: messages under way; `broken`: the transaction that sent
 * the root's in_msg is not indexed (yet).
 */
export type TraceState = 'complete' | 'pending' | 'broken'

/** A trace without its transactions. */
export interface TraceRow {
  root: TransactionKey
  /** The trace's id: hash of the root transaction. */
  root_hash: Buffer
  /** Hash of the root's in_msg, of any kind; null where no message caused it. */
  external_hash: Buffer | null
  /** TEP-467 hash of the root's external in_msg, where it differs from `external_hash`. */
  external_hash_norm: Buffer | null
  state: TraceState
  /** Transactions. */
  nodes: number
  /** Messages that arrived, or need not arrive (external out). */
  edges: number
  /** Messages that no indexed transaction took yet. */
  pending_edges: number
  start_lt: bigint
  end_lt: bigint
  /** Seconds. */
  start_utime: number
  end_utime: number
  mc_seqno_start: number
  mc_seqno_end: number
}

/** What one batch does to the traces. */
export interface TraceChanges {
  /** Roots of stored traces that became parts of others, or were taken apart. */
  removed: TransactionKey[]
  /** New and changed traces. */
  put: TraceRow[]
  /**
   * Transactions that are new in a trace or moved to another: all of the batch, and all stored ones of the removed
   * traces.
   */
  members: { transaction: TransactionKey; root: TransactionKey }[]
}

/**
 * The source of messages that the chain itself makes (fees, minted currencies): no transaction sent them, and traces are
 * not joined over them.
 */
export const SYSTEM_ACCOUNT: Address = { workchain: MASTERCHAIN, hash: Buffer.alloc(32) }

/** What joining needs of a transaction. */
export type JoinedTransaction = Pick<BatchTransaction, 'id' | 'now' | 'in_msg' | 'out_msgs'>

/** What is stored when a batch arrives, without the batch itself. */
export interface TraceLookups {
  /** The transaction that sent the internal message with this hash. */
  senderOf(hash: Buffer): TransactionKey | undefined
  /** The transaction that took the internal message with this hash. */
  receiverOf(hash: Buffer): TransactionKey | undefined
  /** Root of the trace of a stored transaction. */
  rootOf(transaction: TransactionKey): TransactionKey
  trace(root: TransactionKey): TraceRow | undefined
  /** All transactions of a trace, the root among them (also one that is not stored any more), ascending. */
  transactionsOf(root: TransactionKey): TransactionKey[]
  /** Roots of the stored traces that began in this masterchain block; transactions that were pruned may be among them. */
  rootsIn(mc_seqno: number): TransactionKey[]
  transaction(key: TransactionKey): JoinedTransaction | undefined
}

/** Joins the transactions of a batch to the stored traces; pure but for the look-ups. */
export type TraceJoin = (batch: Batch, stored: TraceLookups) => TraceChanges
