import type { Steps } from '../../common/steps.ts'
import { type MessageHead, otherNormOf, readBatchMessage, readMessageHead } from '../../model/batch-message.ts'
import type { MessageDirection, MessageRecord } from '../../model/index-records.ts'
import { SYSTEM_ACCOUNT, seqnoOfKey, type TransactionKey } from '../../model/trace-changes.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import {
  isInternal,
  type MessagePlace,
  type MessageReader,
  type MessageSide,
  messageCell,
  placesByHash,
  storedMessageReader,
  takenAt,
  transactionByHash,
  transactionRow,
} from '../find.ts'
import { HASH_PREFIX, hashKey, MESSAGE_KEY_SIZE, messageKey, readMessageKey, txKey } from '../keys.ts'
import { firstKey, someKeys, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { rootOf } from '../write-traces.ts'
import { type Budget, CELL_COST, SEEK_COST } from './budget.ts'
import type { Source } from './transaction-rows.ts'

/** Where a message was taken and where it was sent, as far as that is stored. */
interface MessageSides {
  taken: MessageSide | undefined
  sent: MessageSide | undefined
}

/** A message with what was read of it. */
export interface ReadMessage {
  place: MessageSide
  cell: Cell
  isInternal: boolean
  /** Read when it is asked for: a page of messages needs none of it. Throws `malformed`. */
  head(): MessageHead
  /** Its sides, where they are known without another look-up. */
  sides?: MessageSides
}

/** Reads the message that an index entry leads to. Throws `malformed`. */
export const readMessageAt = (tables: Tables, place: MessagePlace, budget: Budget): ReadMessage | undefined =>
  readMessageBy(storedMessageReader(tables), place, budget)

/** As readMessageAt, with what reads the messages of one turn. */
export const readMessageBy = (read: MessageReader, place: MessagePlace, budget: Budget): ReadMessage | undefined => {
  budget.spend(CELL_COST)
  const found = read(place)
  if (!found) return undefined
  const { side, cell } = found
  let known: MessageHead | undefined
  const head = (): MessageHead => {
    known ??= readMessageHead(cell)
    return known
  }
  return { place: side, cell, isInternal: isInternal(cell), head }
}

/** True when a filter on an end of a message (null: outside of the chain) is not given, or met. */
export const isAt = (
  { head }: Pick<ReadMessage, 'head'>,
  end: 'source' | 'destination',
  wanted: Address | null | undefined,
): boolean => {
  if (wanted === undefined) return true
  const address = head()[end]
  return address && wanted ? sameAddress(address, wanted) : address === wanted
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
export const listedAt = ({ place, head }: ReadMessage): { lt: bigint; utime: number } => {
  const { created_lt, created_at } = head()
  return { lt: created_lt ?? place.row.lt, utime: created_at ?? place.row.now }
}

/** A side that an earlier step read may be gone by now. */
const stillStored = (tables: Tables, side: MessageSide | undefined): MessageSide | undefined =>
  side && tables.transactions.doesExist(txKey(side.transaction)) ? side : undefined

/**
 * True when the trace says that one transaction came out of the other: the sender of what `taker` took is in the trace of
 * `sender` too, and is still stored, as the root is.
 */
const isBelow = (tables: Tables, taker: TransactionKey, sender: TransactionKey): boolean => {
  const root = rootOf(tables, taker)
  return (
    root !== taker && root === rootOf(tables, sender) && (root === sender || tables.transactions.doesExist(txKey(root)))
  )
}

/**
 * True when the trace says that no stored transaction took anything that this one sent: it is alone there, and traces are
 * joined over all other messages, whichever side is stored first.
 */
export const isAlone = ({ tables, addresses }: Source, transaction: TransactionKey): boolean => {
  const key = txKey(transaction)
  if (!tables.traces.doesExist(key) || firstKey(tables.trace_txs, under(key), 'asc')) return false
  return transactionRow(tables, transaction)?.account !== addresses.find(SYSTEM_ACCOUNT)
}

/**
 * Where an internal message was taken that was sent at `sent`. Where one transaction sent and one took what begins with
 * its hash, and they are of one trace, that is it: the taker came into the trace with its sender, which is listed under
 * this hash. Else the cells decide.
 */
const takerOf = (tables: Tables, sent: MessageSide, hash: Buffer): MessageSide | undefined => {
  const places = someKeys(tables.msg_by_hash, under(hashKey(hash)), 'asc', 3).map((key) =>
    readMessageKey(key, HASH_PREFIX),
  )
  const taken = places.find(({ n }) => n === 0)
  if (!taken) return places.length < 3 ? undefined : takenAt(tables, hash)
  const isSender = ({ transaction, n }: MessagePlace): boolean => transaction === sent.transaction && n === sent.n
  if (places.length !== 2 || !places.some(isSender) || !isBelow(tables, taken.transaction, sent.transaction))
    return takenAt(tables, hash)
  const row = transactionRow(tables, taken.transaction)
  return row && { ...taken, row }
}

/**
 * Both sides of a message, as far as they are stored; with a direction, of the other side nothing is looked up. What is
 * listed by the side that took it was sent by none that is stored, else it were listed by that one.
 */
export const sidesOf = (
  tables: Tables,
  { place, cell, isInternal, sides }: ReadMessage,
  direction: MessageDirection | undefined,
): MessageSides => {
  if (sides) return { taken: stillStored(tables, sides.taken), sent: stillStored(tables, sides.sent) }
  if (place.n === 0) return { taken: place, sent: undefined }
  return { taken: isInternal && direction !== 'out' ? takerOf(tables, place, cell.hash()) : undefined, sent: place }
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

const normOf = ({ head, cell }: ReadMessage): Buffer | null => (head().kind === 'ext_in' ? otherNormOf(cell) : null)

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
    const internal = reads.filter(({ isInternal }) => isInternal)
    const sent = internal.find(({ place }) => place.n > 0)
    const taken = internal.find(({ place }) => place.n === 0)
    const whole = sent ?? taken
    if (whole) found.push({ ...whole, sides: { taken: taken?.place, sent: sent?.place } })
    found.push(...reads.filter(({ isInternal }) => !isInternal))
    if (budget.isTurnOver()) yield
  }
  return found
}
