import { TonlithError } from '../../common/errors.ts'
import type { Steps } from '../../common/steps.ts'
import type { BatchMessage } from '../../model/batch.ts'
import { readBatchMessages } from '../../model/batch-message.ts'
import type {
  MessageDirection,
  SortOrder,
  TransactionRecord,
  TransactionsByMessageFilter,
} from '../../model/index-records.ts'
import type { TransactionKey } from '../../model/trace-changes.ts'
import { sentAt, takenAt, transactionByHash, transactionCell } from '../find.ts'
import { HASH_PREFIX, TRANSACTION_KEY_SIZE, txKey, u32Key, u64Key } from '../keys.ts'
import { type Budget, CELL_COST, createBudget } from './budget.ts'
import {
  distinct,
  hasBody,
  isAt,
  messagePlaceOf,
  messagesByHash,
  type ReadMessage,
  readMessageAt,
} from './message-rows.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { arranged, inOrderOf, merged, type RankedSource, rankedInAll, since } from './ranked.ts'
import { LT_SIZE } from './ranks.ts'
import { byAccount, isStored, placeOf, rowOf, type Source, storedOnly, transactionRecords } from './transaction-rows.ts'

type Filter = TransactionsByMessageFilter

/** Every part of the filter but hashes and direction, asked of one message. */
const fits = (read: ReadMessage, filter: Filter): boolean =>
  isAt(read, 'source', filter.source) && isAt(read, 'destination', filter.destination) && hasBody(read.cell, filter)

const isOn = (n: number, direction: MessageDirection | undefined): boolean =>
  direction === undefined || (n === 0) === (direction === 'in')

const keyAt = ({ tables }: Source, place: TransactionKey): Buffer => u64Key(rowOf(tables, place).lt, txKey(place))

const directionOf = ({ opcode, direction }: Filter): MessageDirection | undefined =>
  opcode === undefined ? direction : 'in'

function* byHashes(source: Source, filter: Filter, sort: SortOrder, budget: Budget): Steps<Buffer[]> {
  const keys = new Map<TransactionKey, Buffer>()
  for (const hash of distinct(filter.msg_hashes ?? [])) {
    for (const read of yield* messagesByHash(source.tables, hash, budget)) {
      const { place } = read
      if (!isOn(place.n, directionOf(filter)) || !fits(read, filter)) continue
      if (!isStored(source, place.transaction)) continue
      keys.set(place.transaction, keyAt(source, place.transaction))
    }
    if (budget.isTurnOver()) yield
  }
  return [...keys.values()].sort(inOrderOf(sort))
}

/** Parts of the indexes of transactions by what came in. */
const takenParts = ({ tables, addresses }: Source, filter: Filter): RankedSource[] => {
  const { opcode, body_hash, destination } = filter
  const parts: RankedSource[] = []
  if (opcode !== undefined) parts.push({ table: tables.tx_by_opcode, prefix: u32Key(opcode) })
  if (body_hash) parts.push({ table: tables.tx_by_body, prefix: body_hash.subarray(0, HASH_PREFIX) })
  const id = destination ? addresses.find(destination) : undefined
  if (id !== undefined) parts.push({ table: tables.tx_by_account, prefix: u32Key(id) })
  return parts
}

function* taken(source: Source, filter: Filter, sort: SortOrder, budget: Budget, start?: Buffer): Generator<Buffer> {
  const exact = !filter.body_hash && filter.source === undefined && filter.destination === undefined
  for (const key of rankedInAll(takenParts(source, filter), sort, budget, start)) {
    if (exact) {
      yield key
      continue
    }
    const read = readMessageAt(source.tables, { transaction: placeOf(key), n: 0 }, budget)
    if (read && fits(read, filter)) yield key
  }
}

/** Parts of the indexes of messages; each side that sent a message is in them. */
const sentParts = ({ tables, addresses }: Source, filter: Filter): RankedSource[] => {
  const { body_hash, source, destination } = filter
  const parts: RankedSource[] = []
  if (body_hash) parts.push({ table: tables.msg_by_body, prefix: body_hash.subarray(0, HASH_PREFIX) })
  const ids = [
    [source, tables.msg_by_source],
    [destination, tables.msg_by_destination],
  ] as const
  for (const [address, table] of ids) {
    const id = address === undefined ? undefined : addresses.find(address)
    if (id !== undefined) parts.push({ table, prefix: u32Key(id) })
  }
  return parts
}

/** The lt of a message is above that of its sender by no more than this (TL-B outmsg_cnt has 15 bits). */
const FURTHEST_MESSAGE = 1n << 16n

const shifted = (start: Buffer | undefined, sort: SortOrder): Buffer | undefined => {
  const lt = start?.readBigUInt64BE(0)
  return lt === undefined ? undefined : u64Key(sort === 'asc' ? lt : lt + FURTHEST_MESSAGE)
}

/** True when a transaction of the list cannot have sent the message at `bound`, nor any that comes behind it. */
const isDue = (key: Buffer, bound: bigint, sort: SortOrder): boolean => {
  const lt = key.readBigUInt64BE(0)
  return sort === 'asc' ? lt < bound - FURTHEST_MESSAGE : lt > bound
}

/**
 * Transactions by what they sent: the indexes order messages by their own lt, so transactions wait here until no
 * message that is still to come can belong to one before them. Of one that waits no other message is looked at.
 */
function* sent(source: Source, filter: Filter, sort: SortOrder, budget: Budget, start?: Buffer): Generator<Buffer> {
  const waiting: Buffer[] = []
  const known = new Set<TransactionKey>()
  const compare = inOrderOf(sort)
  const wait = (key: Buffer): void => {
    let at = waiting.length
    while (at > 0 && compare(waiting[at - 1]!, key) > 0) at--
    waiting.splice(at, 0, key)
  }
  for (const key of rankedInAll(sentParts(source, filter), sort, budget, shifted(start, sort))) {
    const bound = key.readBigUInt64BE(0)
    let due = 0
    while (due < waiting.length && isDue(waiting[due]!, bound, sort)) due++
    for (const one of waiting.splice(0, due)) {
      known.delete(placeOf(one))
      yield one
    }
    const place = messagePlaceOf(key)
    if (place.n === 0 || known.has(place.transaction)) continue
    const read = readMessageAt(source.tables, place, budget)
    if (!read || !fits(read, filter)) continue
    known.add(place.transaction)
    wait(keyAt(source, place.transaction))
  }
  yield* waiting
}

function* listOf(source: Source, filter: Filter, sort: SortOrder, budget: Budget): Steps<KeyList> {
  const list = { rankSize: LT_SIZE, keySize: LT_SIZE + TRANSACTION_KEY_SIZE, accepts: () => true }
  const inOrder = (keys: Iterable<Buffer>, start: Buffer | undefined): Iterable<Buffer> =>
    arranged(since(keys, start, sort), LT_SIZE, byAccount(source))
  if (isGiven(filter.msg_hashes)) {
    const keys = yield* byHashes(source, filter, sort, budget)
    const from = (start: Buffer | undefined) => inOrder(storedOnly(source, keys), start)
    return { ...list, from }
  }
  if (!filter.body_hash && filter.opcode === undefined)
    throw new TonlithError('invalid', 'at least one of msg_hash, body_hash, opcode should be specified')
  const direction = directionOf(filter)
  const isUnknown = [filter.source, filter.destination].some(
    (address) => address && source.addresses.find(address) === undefined,
  )
  if (isUnknown) return { ...list, from: () => [] }
  return {
    ...list,
    from: (start) => {
      const lists = [
        ...(direction === 'out' ? [] : [taken(source, filter, sort, budget, start)]),
        ...(direction === 'in' ? [] : [sent(source, filter, sort, budget, start)]),
      ]
      return inOrder(merged(lists, sort), start)
    },
  }
}

/** Pages of IndexReader.transactionsByMessage */
export const pagesByMessage = (source: Source, filter: Filter, sort: SortOrder): Pages<TransactionRecord> =>
  pagesOf(
    (budget) => listOf(source, filter, sort, budget),
    (keys) => transactionRecords(source, keys),
  )

/** IndexReader.adjacent */
export const queryAdjacent = (
  source: Source,
  hash: Buffer,
  direction: MessageDirection | undefined,
): TransactionRecord[] | undefined => {
  const { tables } = source
  const place = transactionByHash(tables, hash)
  const cell = place === undefined ? undefined : transactionCell(tables, place)
  if (!cell) return undefined
  const budget = createBudget()
  const { in_msg, out_msgs } = readBatchMessages(cell)
  const found = new Set<TransactionKey>()
  const note = (message: BatchMessage, find: typeof sentAt): void => {
    budget.spend(CELL_COST)
    const side = message.kind === 'internal' ? find(tables, message.hash) : undefined
    if (side) found.add(side.transaction)
  }
  if (in_msg && direction !== 'out') note(in_msg, sentAt)
  if (direction !== 'in') for (const message of out_msgs) note(message, takenAt)
  const keys = [...found].map((other) => keyAt(source, other)).sort((a, b) => a.compare(b))
  return transactionRecords(source, arranged(keys, LT_SIZE, byAccount(source)))
}
