import type { Steps } from '../../common/steps.ts'
import { type MessageHead, otherNormOf, readBatchMessage, readMessageHead } from '../../model/batch-message.ts'
import type { MessageDirection, MessageRecord } from '../../model/index-records.ts'
import { seqnoOfKey } from '../../model/trace-changes.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import {
  type MessagePlace,
  type MessageSide,
  messageAt,
  messageCell,
  placesByHash,
  takenAt,
  transactionByHash,
} from '../find.ts'
import { hashKey, MESSAGE_KEY_SIZE, messageKey, readMessageKey, txKey } from '../keys.ts'
import type { Tables } from '../tables.ts'
import { type Budget, CELL_COST, SEEK_COST } from './budget.ts'

/** True when a filter on an end of a message (null: outside of the chain) is not given, or met. */
export const isAt = (address: Address | null, wanted: Address | null | undefined): boolean =>
  wanted === undefined || (address && wanted ? sameAddress(address, wanted) : address === wanted)

/** Where a message was taken and where it was sent, as far as that is stored. */
interface MessageSides {
  taken: MessageSide | undefined
  sent: MessageSide | undefined
}

/** A message with what was read of it. */
export interface ReadMessage {
  place: MessageSide
  cell: Cell
  message: MessageHead
  /** Its sides, where they are known without another look-up. */
  sides?: MessageSides
}

/** Reads the message that an index entry leads to. Throws `malformed`. */
export const readMessageAt = (tables: Tables, place: MessagePlace, budget: Budget): ReadMessage | undefined => {
  budget.spend(CELL_COST)
  const read = messageAt(tables, place)
  return read && { place: read.side, cell: read.cell, message: readMessageHead(read.cell) }
}

/** True when filters on opcode and hash of the body of a message are not given, or met. */
export const hasBody = (
  cell: Cell,
  { opcode, body_hash }: { opcode?: number | undefined; body_hash?: Buffer | undefined },
): boolean => {
  if (opcode === undefined && !body_hash) return true
  const message = readBatchMessage(cell)
  return (opcode === undefined || message.opcode === opcode) && (!body_hash || message.body_hash.equals(body_hash))
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
export const listedAt = ({ place, message }: ReadMessage): { lt: bigint; utime: number } => ({
  lt: message.created_lt ?? place.row.lt,
  utime: message.created_at ?? place.row.now,
})

/** A side that an earlier step read may be gone by now. */
const stillStored = (tables: Tables, side: MessageSide | undefined): MessageSide | undefined =>
  side && tables.transactions.doesExist(txKey(side.transaction)) ? side : undefined

/**
 * Both sides of a message, as far as they are stored; with a direction, of the other side nothing is looked up. What is
 * listed by the side that took it was sent by none that is stored, else it were listed by that one.
 */
export const sidesOf = (
  tables: Tables,
  { place, cell, message, sides }: ReadMessage,
  direction: MessageDirection | undefined,
): MessageSides => {
  if (sides) return { taken: stillStored(tables, sides.taken), sent: stillStored(tables, sides.sent) }
  if (place.n === 0) return { taken: place, sent: undefined }
  const isTaken = message.kind === 'internal' && direction !== 'out'
  return { taken: isTaken ? takenAt(tables, cell.hash()) : undefined, sent: place }
}

/** A stored message; with a direction, only that side's transaction is named. */
export const messageRecord = (
  tables: Tables,
  read: ReadMessage,
  direction: MessageDirection | undefined,
): MessageRecord => {
  const { taken, sent } = sidesOf(tables, read, direction)
  return {
    cell: read.cell,
    in_tx: direction === 'out' ? null : (taken?.row.hash ?? null),
    out_tx: direction === 'in' ? null : (sent?.row.hash ?? null),
    mc_seqno: seqnoOfKey(read.place.transaction),
  }
}

/** Each hash once: lists of them are what a client gives. */
export const distinct = (hashes: Iterable<Buffer>): Iterable<Buffer> =>
  new Map(Array.from(hashes, (hash) => [hash.toString('latin1'), hash])).values()

const normOf = ({ message, cell }: ReadMessage): Buffer | null => (message.kind === 'ext_in' ? otherNormOf(cell) : null)

/** Every stored side of the messages with this hash or normalised hash. */
export function* messagesByHash(tables: Tables, hash: Buffer, budget: Budget): Steps<ReadMessage[]> {
  const found: ReadMessage[] = []
  budget.spend(SEEK_COST)
  for (const place of placesByHash(tables, hash)) {
    const read = readMessageAt(tables, place, budget)
    if (read && (read.cell.hash().equals(hash) || normOf(read)?.equals(hash))) found.push(read)
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
