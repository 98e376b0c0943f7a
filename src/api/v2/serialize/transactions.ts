import type { BlockTransaction, Transaction } from '../../../model/transaction.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import { rawAddress, rawAddressUpper } from '../../../ton/address.ts'
import type { BlockIdExt } from '../../../ton/block-id.ts'
import { blockIdExt, type Dialect, type Neutral, resultText, type Written } from '../dialect.ts'
import { accountAddressJson, bagJson, listJson, transactionIdJson } from './json.ts'
import { extMessageJson, type MessageJson, rawMessageJson } from './messages.ts'

/** Fields that all forms of a transaction have behind their type and account (contracts/v2.md 3.4). */
const commonJson = (transaction: Transaction): string => {
  const fee = transaction.out_msgs.reduce((sum, { fwd_fee }) => sum + fwd_fee, transaction.total_fees)
  return (
    `"utime":${transaction.now},"data":${bagJson(transaction.cell)}` +
    `,"transaction_id":${transactionIdJson(transaction.id)},"fee":"${fee}"` +
    `,"storage_fee":"${transaction.storage_fees}","other_fee":"${fee - transaction.storage_fees}"`
  )
}

const messagesJson = ({ in_msg, out_msgs }: Transaction, json: MessageJson, dialect: Dialect): string => {
  const received = in_msg ? `"in_msg":${json(in_msg, dialect)},` : ''
  return `${received}"out_msgs":${listJson(out_msgs, (message) => json(message, dialect))}`
}

const rawFieldsJson = (transaction: Transaction, dialect: Dialect): string =>
  `"address":${accountAddressJson(dialect, transaction.account)},${commonJson(transaction)}` +
  `,${messagesJson(transaction, rawMessageJson, dialect)}`

const rawTransactionJson = (transaction: Transaction, dialect: Dialect): string =>
  `{"@type":"raw.transaction",${rawFieldsJson(transaction, dialect)}}`

/** `raw.transactionExt`: as `raw.transaction`, with the account last. */
const rawTransactionExtJson = (transaction: Transaction, dialect: Dialect): string =>
  `{"@type":"raw.transactionExt",${rawFieldsJson(transaction, dialect)}` +
  `,"account":"${rawAddressUpper(transaction.account)}"}`

/** `ext.transaction`. */
export const extTransaction =
  (transaction: Transaction): Written =>
  (dialect) =>
    `{"@type":"ext.transaction","address":${accountAddressJson(dialect, transaction.account)}` +
    `,"account":"${rawAddressUpper(transaction.account)}",${commonJson(transaction)}` +
    `,${messagesJson(transaction, extMessageJson, dialect)}}`

/** A list of `ext.transaction`. */
export const extTransactions =
  (transactions: readonly Transaction[]): Written =>
  (dialect) =>
    listJson(transactions, (each) => extTransaction(each)(dialect))

/** `raw.transactions` (contracts/v2.md 7.3). */
export const rawTransactions =
  (transactions: readonly Transaction[], previous: TransactionId): Written =>
  (dialect) =>
    `{"@type":"raw.transactions","transactions":${listJson(transactions, (each) => rawTransactionJson(each, dialect))}` +
    `,"previous_transaction_id":${transactionIdJson(previous)}}`

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

const pageHead = (name: string, { id, req_count, incomplete }: Page<unknown>) => ({
  '@type': name,
  id: blockIdExt(id),
  req_count,
  incomplete,
})

/** `blocks.transactions` (contracts/v2.md 7.1). */
export const blockTransactions = (listed: Page<BlockTransaction>): Neutral => ({
  ...pageHead('blocks.transactions', listed),
  transactions: listed.transactions.map(shortTransactionId),
})

/** `blocks.transactionsExt`. */
export const blockTransactionsExt =
  (listed: Page<Transaction>): Written =>
  (dialect) => {
    const head = resultText(pageHead('blocks.transactionsExt', listed), dialect)
    const transactions = listJson(listed.transactions, (each) => rawTransactionExtJson(each, dialect))
    return `${head.slice(0, -1)},"transactions":${transactions}}`
  }
