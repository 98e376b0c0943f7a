import type { TransactionKey } from '../model/trace-changes.ts'
import type { Cell } from '../ton/cell.ts'
import { dictLookup } from '../ton/dictionary.ts'
import { beginParse } from '../ton/slice.ts'
import { parseTransactionMessages } from '../ton/tlb/transaction.ts'
import { decodeTransaction, type TransactionRow } from './codecs.ts'
import { HASH_PREFIX, hashKey, readMessageKey, readTxKey, txKey } from './keys.ts'
import { keysIn, under } from './scan.ts'
import type { Tables } from './tables.ts'
import { cellReader, readCell } from './transaction-cells.ts'

/** Look-ups by hash. An entry tells the beginning of a hash; the row decides. */

/** The row of a stored transaction. */
export const transactionRow = (tables: Tables, key: TransactionKey): TransactionRow | undefined => {
  const bytes = tables.transactions.getBinaryFast(txKey(key))
  return bytes && decodeTransaction(bytes)
}

/** The cell of a stored transaction. */
export const transactionCell = (tables: Tables, key: TransactionKey): Cell | undefined => {
  const row = transactionRow(tables, key)
  return row && readCell(tables, key, row)
}

/** The stored transaction with this hash. */
export const transactionByHash = (tables: Tables, hash: Buffer): TransactionKey | undefined => {
  for (const entry of keysIn(tables.tx_by_hash, under(hashKey(hash)), 'asc')) {
    const key = readTxKey(entry, HASH_PREFIX)
    if (transactionRow(tables, key)?.hash.equals(hash)) return key
  }
  return undefined
}

/** One side of a stored message: `n` 0 where the transaction took it, its place among the sent ones from 1 on. */
export interface MessagePlace {
  transaction: TransactionKey
  n: number
}

const OUT_MSG_KEY_BITS = 15

type Messages = ReturnType<typeof parseTransactionMessages>

const outMsgKey = (n: number): Buffer => {
  const key = Buffer.allocUnsafe(2)
  key.writeUInt16BE(((n - 1) << (16 - OUT_MSG_KEY_BITS)) & 0xffff)
  return key
}

/** The cell of a message of a transaction; those that were sent are numbered in the order of their lt. */
const messageIn = ({ in_msg, out_msgs }: Messages, n: number): Cell | undefined => {
  if (n === 0) return in_msg ?? undefined
  return dictLookup(out_msgs, OUT_MSG_KEY_BITS, outMsgKey(n))?.ref()
}

/** One side of a stored message, with the row of its transaction. */
export interface MessageSide extends MessagePlace {
  row: TransactionRow
}

/** Gives a stored message by its place. Throws `malformed`. */
export type MessageReader = (place: MessagePlace) => { side: MessageSide; cell: Cell } | undefined

/**
 * Reads messages of the store as it is at one moment: for use in one turn only, as neither the transaction nor the group of
 * cells that was read last is looked up again.
 */
export const storedMessageReader = (tables: Tables): MessageReader => {
  const cellAt = cellReader(tables)
  let last: { transaction: TransactionKey; row: TransactionRow; messages: Messages } | undefined
  return ({ transaction, n }) => {
    if (last?.transaction !== transaction) {
      const row = transactionRow(tables, transaction)
      const cell = row && cellAt(transaction, row)
      if (!row || !cell) return undefined
      last = { transaction, row, messages: parseTransactionMessages(cell) }
    }
    const { row, messages } = last
    const cell = messageIn(messages, n)
    return cell && { side: { transaction, n, row }, cell }
  }
}

/** A stored message. */
export const messageAt = (tables: Tables, place: MessagePlace): ReturnType<MessageReader> =>
  storedMessageReader(tables)(place)

/** The cell of a stored message. */
export const messageCell = (tables: Tables, place: MessagePlace): Cell | undefined => messageAt(tables, place)?.cell

/** Every entry of a hash, which is one of a message or the beginning of one. */
export function* placesByHash(tables: Tables, hash: Buffer): Generator<MessagePlace> {
  for (const entry of keysIn(tables.msg_by_hash, under(hashKey(hash)), 'asc')) yield readMessageKey(entry, HASH_PREFIX)
}

/** True for an internal message, by the tag of TL-B CommonMsgInfo. Throws `malformed`. */
export const isInternal = (message: Cell): boolean => !beginParse(message).bit()

const sideOf = (tables: Tables, hash: Buffer, isSide: (n: number) => boolean): MessageSide | undefined => {
  for (const place of placesByHash(tables, hash)) {
    if (!isSide(place.n)) continue
    const message = messageAt(tables, place)
    if (message?.cell.hash().equals(hash) && isInternal(message.cell)) return message.side
  }
  return undefined
}

/** Where the internal message with this hash was sent. */
export const sentAt = (tables: Tables, hash: Buffer): MessageSide | undefined => sideOf(tables, hash, (n) => n > 0)

/** Where the internal message with this hash was taken. */
export const takenAt = (tables: Tables, hash: Buffer): MessageSide | undefined => sideOf(tables, hash, (n) => n === 0)
