import type { Batch, BatchTransaction } from '../model/batch.ts'
import { readBatchMessage } from '../model/batch-message.ts'
import type { PackedTransactions } from '../model/packed-transactions.ts'
import { type AddressIds, NO_ADDRESS } from './addresses.ts'
import type { Entry } from './entries.ts'
import { type MessagePlace, messageCell, transactionRow } from './find.ts'
import { ADDRESS_KEY_SIZE, messageKey, readAddressKey, TRANSACTION_KEY_SIZE, txKey } from './keys.ts'
import { packTransactions } from './pack-transactions.ts'
import { putPacked } from './packed-entries.ts'
import type { Tables } from './tables.ts'
import { writeCells } from './transaction-cells.ts'
import { ownEntries } from './transaction-messages.ts'
import { putEntries, removeEntries } from './write-entries.ts'

/** What writing messages asks of what is stored. */
export interface MessageSides {
  /** Where the internal message with this hash was sent. */
  sentAt(hash: Buffer): MessagePlace | undefined
  /** Where it was taken. */
  takenAt(hash: Buffer): MessagePlace | undefined
}

/** The entries that only one side of a stored message has. */
const storedEntries = (tables: Tables, addresses: AddressIds, { transaction, n }: MessagePlace): Entry[] => {
  const row = transactionRow(tables, transaction)
  const cell = messageCell(tables, { transaction, n })
  return row && cell ? ownEntries(addresses, messageKey(txKey(transaction), n), row, readBatchMessage(cell)) : []
}

/** Takes from a stored side of a message the entries that only one side has. */
const releaseMessage = (tables: Tables, addresses: AddressIds, place: MessagePlace): void =>
  removeEntries(tables, storedEntries(tables, addresses, place))

/** Gives them to it. */
export const claimMessage = (tables: Tables, addresses: AddressIds, place: MessagePlace): void =>
  putEntries(tables, storedEntries(tables, addresses, place))

/** Takes from the stored takers of the messages that transactions send what the sender has from now on. */
const releaseTaken = (
  tables: Tables,
  addresses: AddressIds,
  stored: MessageSides,
  transactions: readonly BatchTransaction[],
): void => {
  for (const { out_msgs } of transactions) {
    for (const { kind, hash } of out_msgs) {
      const taker = kind === 'internal' ? stored.takenAt(hash) : undefined
      if (taker) releaseMessage(tables, addresses, taker)
    }
  }
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** The parts of `size` bytes of which `bytes` is made. */
const partsOf = (bytes: Uint8Array<ArrayBuffer>, size: number): Buffer[] => {
  const view = viewOf(bytes)
  return Array.from({ length: bytes.length / size }, (_, i) => view.subarray(i * size, (i + 1) * size))
}

const HASH_SIZE = 32

/** Puts the rows; each begins with the place of an address, where its id belongs. */
const putRows = (tables: Tables, { keys, values, ends }: PackedTransactions, ids: readonly number[]): void => {
  const all = Buffer.from(values)
  let from = 0
  for (const [i, key] of partsOf(keys, TRANSACTION_KEY_SIZE).entries()) {
    const value = all.subarray(from, ends[i]!)
    value.writeUInt32BE(ids[value.readUInt32BE(0)]!, 0)
    tables.transactions.putSync(key, value)
    from = ends[i]!
  }
}

/**
 * Writes the transactions that a masterchain block commits, in their order, with the entries of their messages. An
 * internal message is listed once: by its sender, or by its taker as long as the sender is not stored.
 */
export const writeTransactions = (
  tables: Tables,
  addresses: AddressIds,
  stored: MessageSides,
  batch: Pick<Batch, 'mc' | 'transactions' | 'packed'>,
): void => {
  const { mc, transactions } = batch
  const packed = batch.packed?.count === transactions.length ? batch.packed : packTransactions(batch)
  const ids = [NO_ADDRESS]
  for (const key of partsOf(packed.addresses, ADDRESS_KEY_SIZE)) ids.push(addresses.intern(readAddressKey(key)))
  const stands = [true]
  for (const hash of partsOf(packed.unsent, HASH_SIZE)) stands.push(!stored.sentAt(hash))
  releaseTaken(tables, addresses, stored, transactions)
  writeCells(tables, mc.seqno, packed.cell_groups)
  putRows(tables, packed, ids)
  putPacked(tables, packed.entries, ids, stands)
}
