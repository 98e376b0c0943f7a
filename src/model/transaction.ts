import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { outMsgs, parseTransaction, type Transaction as TlbTransaction } from '../ton/tlb/transaction.ts'
import { storagePhaseOf } from '../ton/tlb/transaction-descr.ts'
import { type Message, readMessage } from './message.ts'
import type { TransactionId } from './transaction-id.ts'

/** A transaction as API answers show it. Amounts are nano-units. */
export interface Transaction {
  cell: Cell
  account: Address
  id: TransactionId
  /** The account's transaction before this one; the values of NO_TRANSACTION for the first. */
  previous: TransactionId
  /** TL-B `now`, seconds. */
  now: number
  /** TL-B total_fees, without extra currencies. */
  total_fees: bigint
  /** storage_fees_collected of the storage phase; 0 where there is no such phase. */
  storage_fees: bigint
  /** Null for tick-tock and other transactions that no message caused. */
  in_msg: Message | null
  /** Ascending by their index. */
  out_msgs: Message[]
}

/** One line of a block's list of transactions. */
export interface BlockTransaction {
  account: Address
  id: TransactionId
}

/**
 * Reads a transaction from its cell, which does not name the workchain of its account; `transaction` is what the cell says
 * where that is known. Throws `malformed`.
 */
export const readTransaction = (
  workchain: number,
  cell: Cell,
  transaction: TlbTransaction = parseTransaction(cell),
): Transaction => ({
  cell,
  account: { workchain, hash: transaction.account_addr },
  id: { lt: transaction.lt, hash: cell.hash() },
  previous: { lt: transaction.prev_trans_lt, hash: transaction.prev_trans_hash },
  now: transaction.now,
  total_fees: transaction.total_fees.grams,
  storage_fees: storagePhaseOf(transaction.description)?.storage_fees_collected ?? 0n,
  in_msg: transaction.in_msg && readMessage(transaction.in_msg),
  out_msgs: Array.from(outMsgs(transaction), readMessage),
})
