import type { Steps } from '../../common/steps.ts'
import type { BatchMessage } from '../../model/batch.ts'
import { readBatchMessage } from '../../model/batch-message.ts'
import type { MessageDirection, MessageRecord } from '../../model/index-records.ts'
import { seqnoOfKey } from '../../model/trace-changes.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import {
  type MessagePlace,
  messageCell,
  placesByHash,
  sentAt,
  takenAt,
  transactionByHash,
  transactionRow,
} from '../find.ts'
import { hashKey, MESSAGE_KEY_SIZE, messageKey, readMessageKey, txKey } from '../keys.ts'
import type { Tables } from '../tables.ts'
import { type Budget, CELL_COST, SEEK_COST } from './budget.ts'
import { rowOf } from './transaction-rows.ts'

/** True when a filter on an end of a message (null: outside of the chain) is not given, or met. */
export const isAt = (address: Address | null, wanted: Address | null | undefined): boolean =>
  wanted === undefined || (address && wanted ? sameAddress(address, wanted) : address === wanted)

/** Where a message was taken and where it was sent, as far as that is stored. */
interface MessageSides {
  taken: MessagePlace | undefined
  sent: MessagePlace | undefined
}

/** A message with what was read of it. */
export interface ReadMessage {
  place: MessagePlace
  cell: Cell
  message: BatchMessage
  /** Its sides, where they are known without another look-up. */
  sides?: MessageSides
}

/** Reads the message that an index entry leads to. Throws `malformed`. */
export const readMessageAt = (tables: Tables, place: MessagePlace, budget: Budget): ReadMessage | undefined => {
  budget.spend(CELL_COST)
  const cell = messageCell(tables, place)
  return cell && { place, cell, message: readBatchMessage(cell) }
}

/** IndexReader.messageOf */
export const queryMessageOf = (tables: Tables, transaction_hash: Buffer, hash: Buffer, n: number): Cell | undefined => {
  const transaction = transactionByHash(tables, transaction_hash)
  if (transaction === undefined) return undefined
  const entry = hashKey(hash, messageKey(txKey(transaction), n))
  return tables.msg_by_hash.doesExist(entry) ? messageCell(tables, { transaction, n }) : undefined
}

/** The place at the end of a ranked key. */
export const messagePlaceOf = (ranked: Buffer): MessagePlace => readMessageKey(ranked, ranked.length - MESSAGE_KEY_SIZE)

/** lt and time by which a message is listed: its own, or those of the transaction that took it from outside. */
export const listedAt = (tables: Tables, { place, message }: ReadMessage): { lt: bigint; utime: number } => {
  const { created_lt, created_at } = message
  if (created_lt !== null && created_at !== null) return { lt: created_lt, utime: created_at }
  const { lt, now } = rowOf(tables, place.transaction)
  return { lt: created_lt ?? lt, utime: created_at ?? now }
}

/** Both sides of a message, as far as they are stored. */
export const sidesOf = (tables: Tables, { place, message, sides }: ReadMessage): MessageSides => {
  if (sides) return sides
  if (message.kind !== 'internal')
    return place.n === 0 ? { taken: place, sent: undefined } : { taken: undefined, sent: place }
  return place.n === 0
    ? { taken: place, sent: sentAt(tables, message.hash) }
    : { taken: takenAt(tables, message.hash), sent: place }
}

/** A stored message; with a direction, only that side's transaction is named. */
export const messageRecord = (
  tables: Tables,
  read: ReadMessage,
  direction: MessageDirection | undefined,
): MessageRecord => {
  const { taken, sent } = sidesOf(tables, read)
  const hashAt = (side: MessagePlace | undefined): Buffer | null =>
    (side && transactionRow(tables, side.transaction)?.hash) ?? null
  return {
    cell: read.cell,
    in_tx: direction === 'out' ? null : hashAt(taken),
    out_tx: direction === 'in' ? null : hashAt(sent),
    mc_seqno: seqnoOfKey(read.place.transaction),
  }
}

/** Each hash once: lists of them are what a client gives. */
export const distinct = (hashes: Iterable<Buffer>): Iterable<Buffer> =>
  new Map(Array.from(hashes, (hash) => [hash.toString('latin1'), hash])).values()

/** Every stored side of the messages with this hash or normalised hash. */
export function* messagesByHash(tables: Tables, hash: Buffer, budget: Budget): Steps<ReadMessage[]> {
  const found: ReadMessage[] = []
  budget.spend(SEEK_COST)
  for (const place of placesByHash(tables, hash)) {
    const read = readMessageAt(tables, place, budget)
    if (read && (read.message.hash.equals(hash) || read.message.hash_norm?.equals(hash))) found.push(read)
    if (budget.isTurnOver()) yield
  }
  return found
}

/**
 * The messages with these hashes or normalised hashes: an internal one once, by the side that sent it if that is stored;
 * one from outside as often as it was taken.
 */
export function* messagesByHashes(tables: Tables, hashes: Iterable<Buffer>, budget: Budget): Steps<ReadMessage[]> {
  const found: ReadMessage[] = []
  for (const hash of distinct(hashes)) {
    const reads = yield* messagesByHash(tables, hash, budget)
    const internal = reads.filter(({ message }) => message.kind === 'internal')
    const sent = internal.find(({ place }) => place.n > 0)
    const taken = internal.find(({ place }) => place.n === 0)
    const whole = sent ?? taken
    if (whole) found.push({ ...whole, sides: { taken: taken?.place, sent: sent?.place } })
    found.push(...reads.filter(({ message }) => message.kind !== 'internal'))
    if (budget.isTurnOver()) yield
  }
  return found
}
