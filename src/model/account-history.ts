import type { Address } from '../ton/address.ts'
import type { TransactionId } from './transaction-id.ts'

/**
 * `waiting`: not begun; `under_way`: some of it is stored; `complete`: all of it is; `cut`: all of it that is young
 * enough to be kept.
 */
export type HistoryState = 'waiting' | 'under_way' | 'complete' | 'cut'

/** How far the history of a chosen account is stored, from its newest transaction downwards. */
export interface AccountHistory {
  address: Address
  /**
   * The masterchain seqno from which on what touches the account is stored as blocks come, because it was chosen by then;
   * 0 where it was chosen while the index was empty.
   */
  since: number
  state: HistoryState
  /** The next transaction to look at; the values of NO_TRANSACTION before the beginning and at the end. */
  next: TransactionId
  /** lt of its oldest transaction that is stored; 0 for none. */
  oldest_lt: bigint
}

/** True when there is nothing left to fetch. */
export const isDone = ({ state }: Pick<AccountHistory, 'state'>): boolean => state === 'complete' || state === 'cut'
