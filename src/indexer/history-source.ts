import type { TransactionId } from '../model/transaction-id.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'

/** Where an account stands at the newest masterchain block that is trusted. */
export interface HistoryEdge {
  mc_seqno: number
  /** TL-B Account, whole; null where there is none. */
  account: Cell | null
  /** The values of NO_TRANSACTION where it has none, or is not there (any more). */
  last: TransactionId
}

/** Where histories come from. Each function asks once and rejects with TonlithError when it cannot be told now. */
export interface HistorySource {
  edge(address: Address, signal: AbortSignal): Promise<HistoryEdge>
  /**
   * The transaction `from` and some before it (TL-B Transaction), newest first, at least one: each is proven by the one
   * behind it, the first by its hash.
   */
  transactions(address: Address, from: TransactionId, signal: AbortSignal): Promise<Cell[]>
  /**
   * The masterchain seqno that committed the block of the account's shard in which this lt lies. It is a word about where
   * to look: what is found there tells whether it was right.
   */
  committedAt(address: Address, lt: bigint, signal: AbortSignal): Promise<number>
}
