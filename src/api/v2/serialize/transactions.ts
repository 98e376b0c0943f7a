import { ByteWriter } from '../../../common/byte-writer.ts'
import type { BlockTransaction, Transaction } from '../../../model/transaction.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import { rawAddress } from '../../../ton/address.ts'
import type { BlockIdExt } from '../../../ton/block-id.ts'
import { blockIdExt, type Dialect, type Neutral, resultText, type Written } from '../dialect.ts'
import { writeAccountAddress, writeBag, writeList, writeRawAddress, writeTransactionId } from './json.ts'
import { type WriteMessage, writeExtMessage, writeRawMessage } from './messages.ts'

const writer = new ByteWriter()

/** Fields that all forms of a transaction have behind their type and account (contracts/v2.md 3.4). */
const writeCommon = (out: ByteWriter, transaction: Transaction): void => {
  const { storage_fees } = transaction
  const fee = transaction.out_msgs.reduce((sum, { fwd_fee }) => sum + fwd_fee, transaction.total_fees)
  out.ascii('"utime":').ascii(`${transaction.now}`).ascii(',"data":"')
  writeBag(out, transaction.cell)
  out.ascii('","transaction_id":')
  writeTransactionId(out, transaction.id)
  out.ascii(',"fee":"').ascii(`${fee}`).ascii('","storage_fee":"').ascii(`${storage_fees}`)
  out
    .ascii('","other_fee":"')
    .ascii(`${fee - storage_fees}`)
    .ascii('"')
}

const writeMessages = (
  out: ByteWriter,
  { in_msg, out_msgs }: Transaction,
  write: WriteMessage,
  dialect: Dialect,
): void => {
  if (in_msg) {
    out.ascii(',"in_msg":')
    write(out, in_msg, dialect)
  }
  out.ascii(',"out_msgs":')
  writeList(out, out_msgs, (message) => write(out, message, dialect))
}

const writeRawFields = (out: ByteWriter, transaction: Transaction, dialect: Dialect): void => {
  out.ascii('"address":')
  writeAccountAddress(out, dialect, transaction.account)
  out.ascii(',')
  writeCommon(out, transaction)
  writeMessages(out, transaction, writeRawMessage, dialect)
}

const writeRawTransaction = (out: ByteWriter, transaction: Transaction, dialect: Dialect): void => {
  out.ascii('{"@type":"raw.transaction",')
  writeRawFields(out, transaction, dialect)
  out.ascii('}')
}

/** `raw.transactionExt`: as `raw.transaction`, with the account last. */
const writeRawTransactionExt = (out: ByteWriter, transaction: Transaction, dialect: Dialect): void => {
  out.ascii('{"@type":"raw.transactionExt",')
  writeRawFields(out, transaction, dialect)
  out.ascii(',"account":"')
  writeRawAddress(out, transaction.account).ascii('"}')
}

const writeExtTransaction = (out: ByteWriter, transaction: Transaction, dialect: Dialect): void => {
  out.ascii('{"@type":"ext.transaction","address":')
  writeAccountAddress(out, dialect, transaction.account)
  out.ascii(',"account":"')
  writeRawAddress(out, transaction.account).ascii('",')
  writeCommon(out, transaction)
  writeMessages(out, transaction, writeExtMessage, dialect)
  out.ascii('}')
}

/** `ext.transaction`. */
export const extTransaction =
  (transaction: Transaction): Written =>
  (dialect) =>
    writer.collect((out) => writeExtTransaction(out, transaction, dialect))

/** A list of `ext.transaction`. */
export const extTransactions =
  (transactions: readonly Transaction[]): Written =>
  (dialect) =>
    writer.collect((out) => writeList(out, transactions, (each) => writeExtTransaction(out, each, dialect)))

/** `raw.transactions` (contracts/v2.md 7.3). */
export const rawTransactions =
  (transactions: readonly Transaction[], previous: TransactionId): Written =>
  (dialect) =>
    writer.collect((out) => {
      out.ascii('{"@type":"raw.transactions","transactions":')
      writeList(out, transactions, (each) => writeRawTransaction(out, each, dialect))
      out.ascii(',"previous_transaction_id":')
      writeTransactionId(out, previous)
      out.ascii('}')
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
  (dialect) =>
    writer.collect((out) => {
      const head = resultText(pageHead('blocks.transactionsExt', listed), dialect)
      out.ascii(head.slice(0, -1)).ascii(',"transactions":')
      writeList(out, listed.transactions, (each) => writeRawTransactionExt(out, each, dialect))
      out.ascii('}')
    })
