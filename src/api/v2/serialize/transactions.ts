import type { BlockTransaction, Transaction } from '../../../model/transaction.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import { rawAddress, rawAddressUpper } from '../../../ton/address.ts'
import type { BlockIdExt } from '../../../ton/block-id.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import { accountAddress, blockIdExt, type Neutral } from '../dialect.ts'
import { extMessage, rawMessage } from './messages.ts'
import { transactionId } from './scalars.ts'

/** Fields that all forms of a transaction have behind their type and account (contracts/v2.md 3.4). */
const common = (transaction: Transaction) => {
  const forwarded = transaction.out_msgs.reduce((sum, message) => sum + message.fwd_fee, 0n)
  const fee = transaction.total_fees + forwarded
  return {
    utime: transaction.now,
    data: cellToBoc(transaction.cell),
    transaction_id: transactionId(transaction.id),
    fee: String(fee),
    storage_fee: String(transaction.storage_fees),
    other_fee: String(fee - transaction.storage_fees),
  }
}

const rawFields = (transaction: Transaction) => ({
  address: accountAddress(transaction.account),
  ...common(transaction),
  in_msg: transaction.in_msg ? rawMessage(transaction.in_msg) : undefined,
  out_msgs: transaction.out_msgs.map(rawMessage),
})

/** `raw.transaction`. */
export const rawTransaction = (transaction: Transaction): Neutral => ({
  '@type': 'raw.transaction',
  ...rawFields(transaction),
})

/** `raw.transactionExt`: as `raw.transaction`, with the account last. */
export const rawTransactionExt = (transaction: Transaction): Neutral => ({
  '@type': 'raw.transactionExt',
  ...rawFields(transaction),
  account: rawAddressUpper(transaction.account),
})

/** `ext.transaction`. */
export const extTransaction = (transaction: Transaction): Neutral => ({
  '@type': 'ext.transaction',
  address: accountAddress(transaction.account),
  account: rawAddressUpper(transaction.account),
  ...common(transaction),
  in_msg: transaction.in_msg ? extMessage(transaction.in_msg) : undefined,
  out_msgs: transaction.out_msgs.map(extMessage),
})

/** `raw.transactions` (contracts/v2.md 7.3). */
export const rawTransactions = (transactions: readonly Transaction[], previous: TransactionId): Neutral => ({
  '@type': 'raw.transactions',
  transactions: transactions.map(rawTransaction),
  previous_transaction_id: transactionId(previous),
})

/** 7 = account, lt and hash are given; 128 = the list starts behind a given one, as the reference always asks. */
const SHORT_ID_MODE = 135

const shortTransactionId = ({ account, id }: BlockTransaction): Neutral => ({
  '@type': 'blocks.shortTxId',
  mode: SHORT_ID_MODE,
  account: rawAddress(account),
  lt: String(id.lt),
  hash: id.hash,
})

/** One page of a block's transactions, and whether more of them may follow. */
interface Page<T> {
  id: BlockIdExt
  req_count: number
  incomplete: boolean
  transactions: readonly T[]
}

const page = <T>(name: string, item: (transaction: T) => Neutral, listed: Page<T>): Neutral => ({
  '@type': name,
  id: blockIdExt(listed.id),
  req_count: listed.req_count,
  incomplete: listed.incomplete,
  transactions: listed.transactions.map(item),
})

/** `blocks.transactions` (contracts/v2.md 7.1). */
export const blockTransactions = (listed: Page<BlockTransaction>): Neutral =>
  page('blocks.transactions', shortTransactionId, listed)

/** `blocks.transactionsExt`. */
export const blockTransactionsExt = (listed: Page<Transaction>): Neutral =>
  page('blocks.transactionsExt', rawTransactionExt, listed)
