import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { Message } from './message.ts'
import type { TransactionId } from './transaction-id.ts'

/** A transaction as API answers show it. Amounts are nano-units. */
export interface Transaction {
  cell: Cell
  account: Address
  id: TransactionId
  /** The account's transaction before this one; NO_TRANSACTION's values for the first. */
  previous: TransactionId
  /** TL-B `now`, seconds. */
  now: number
  /** TL-B total_fees, grams only. */
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
