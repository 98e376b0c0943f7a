import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { RunOptions } from '../liteserver/request.ts'
import { readTransaction, type Transaction } from '../model/transaction.ts'
import type { TransactionId } from '../model/transaction-id.ts'
import type { Address } from '../ton/address.ts'
import { accountEdge } from './accounts.ts'
import type { Chain } from './chain.ts'

export interface AccountTransactionsQuery {
  /** The first transaction of the page; the newest one when undefined. */
  from: TransactionId | undefined
  /** Transactions of this lt and older ones are left out; 0 for none. */
  to_lt: bigint
  limit: number
  /**
   * Undefined: liteservers of either kind are asked, and an archival one when the first has thrown the data away. False:
   * the same without that second try. True: archival ones only.
   */
  archival: boolean | undefined
  signal: StopSignal
}

export interface AccountTransactions {
  /** Newest first. */
  transactions: Transaction[]
  /** The transaction that comes next on the way back; NO_TRANSACTION's values when there is none. */
  previous: TransactionId
}

/** A liteserver gives no more at a time. */
const CHUNK = 16

const ARCHIVAL = { true: 'only', false: 'any', undefined: 'auto' } as const

const readChunk = async (
  chain: Chain,
  address: Address,
  { lt, hash }: TransactionId,
  count: number,
  options: RunOptions,
): Promise<Transaction[]> => {
  const request = { count, account: { workchain: address.workchain, id: address.hash }, lt, hash }
  const proven = await chain.pool.run(async (query) => {
    const checked = chain.trust.checkTransactions(await query('liteServer.getTransactions', request), request)
    if (checked.length === 0) throw new TonlithError('proof', 'transactions: none, where there must be one')
    return checked
  }, options)
  return proven.map(({ cell, transaction }) => readTransaction(address.workchain, cell, transaction))
}

/**
 * A page of an account's transactions. Each is proven by the one after it, the first by the account's state or by the
 * hash that was asked for. The page is short only where the history ends or `to_lt` cuts it: a liteserver that does not
 * have the rest is an error.
 */
export const readTransactions = async (
  chain: Chain,
  address: Address,
  query: AccountTransactionsQuery,
): Promise<AccountTransactions> => {
  const options = { signal: query.signal, archival: ARCHIVAL[`${query.archival}`] }
  const transactions: Transaction[] = []
  let previous = query.from ?? (await accountEdge(chain, address, options)).transaction
  while (previous.lt > 0n && previous.lt > query.to_lt && transactions.length < query.limit) {
    const count = Math.min(CHUNK, query.limit - transactions.length)
    for (const transaction of await readChunk(chain, address, previous, count, options)) {
      if (transaction.id.lt <= query.to_lt) break
      transactions.push(transaction)
      previous = transaction.previous
    }
  }
  return { transactions, previous }
}
