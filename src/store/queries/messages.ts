import type { Steps } from '../../common/steps.ts'
import type { MessageFilter, MessageRecord, SortOrder } from '../../model/index-records.ts'
import { type MessagePlace, storedMessageReader, transactionRow } from '../find.ts'
import { HASH_PREFIX, MESSAGE_KEY_SIZE, messageKey, txKey, u32Key, u64Key } from '../keys.ts'
import type { Tables } from '../tables.ts'
import { type Budget, CELL_COST, createBudget } from './budget.ts'
import {
  hasBody,
  isAlone,
  isAt,
  listedAt,
  messagePlaceOf,
  messageRecord,
  messagesByHashes,
  type ReadMessage,
  readMessageBy,
  sidesOf,
} from './message-rows.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { inOrderOf, type RankedSource, rankedInAll, rankedList, since } from './ranked.ts'
import { LT_SIZE, TIME_LT_SIZE, TIME_SIZE } from './ranks.ts'
import { isStored, type Source } from './transaction-rows.ts'
import { isBoundByLt, isTimed, isWithin, ltWindow, timeWindow } from './windows.ts'

/** Every part of the filter but the hashes, asked of one message. */
const accepts = (tables: Tables, filter: MessageFilter, read: ReadMessage): boolean => {
  const { source, destination, direction, exclude_externals, only_externals } = filter
  if (!isAt(read, 'source', source) || !isAt(read, 'destination', destination)) return false
  if (!hasBody(read.cell, filter)) return false
  if (exclude_externals || only_externals) {
    const isOutside = read.head().kind === 'ext_in'
    if (isOutside ? exclude_externals : only_externals) return false
  }
  if (isTimed(filter) || isBoundByLt(filter)) {
    const { lt, utime } = listedAt(read)
    if (!isWithin(filter, utime, lt)) return false
  }
  if (direction === undefined) return true
  const sides = sidesOf(tables, read, direction)
  read.sides = sides
  return (direction === 'in' ? sides.taken : sides.sent) !== undefined
}

/** What of the filter needs no look at the message: the parts of indexes that hold exactly what is asked for. */
const isExact = (filter: MessageFilter): boolean =>
  !filter.body_hash && filter.direction === undefined && !filter.exclude_externals && !filter.only_externals

/** Whether a message belongs to the list, where its place in the transaction alone decides that. */
const byPlace = (filter: MessageFilter, n: number): boolean | undefined => {
  const { direction, body_hash, only_externals, exclude_externals } = filter
  if (n > 0 ? only_externals : direction === 'out') return false
  if (body_hash) return undefined
  const decided = n > 0 ? direction !== 'in' : !only_externals && !exclude_externals
  return decided ? true : undefined
}

/** Whether the times of a filter allow a message that a transaction sent: it bears the time of that transaction. */
const isSentInTime = (
  tables: Tables,
  { start_utime, end_utime }: MessageFilter,
  transaction: MessagePlace['transaction'],
): boolean => {
  const row = transactionRow(tables, transaction)
  return row !== undefined && isWithin({ start_utime, end_utime }, row.now, row.lt)
}

/** Parts of indexes that each hold all messages that are asked for; undefined when an address is not stored at all. */
const partsOf = ({ tables, addresses }: Source, filter: MessageFilter): RankedSource[] | undefined => {
  const window = ltWindow(tables, filter)
  const parts: RankedSource[] = []
  const sources = filter.source === undefined && filter.only_externals ? null : filter.source
  for (const [address, table] of [
    [sources, tables.msg_by_source],
    [filter.destination, tables.msg_by_destination],
  ] as const) {
    if (address === undefined) continue
    const id = addresses.find(address)
    if (id === undefined) return undefined
    parts.push({ table, prefix: u32Key(id), ...window })
  }
  if (filter.opcode !== undefined) parts.push({ table: tables.msg_by_opcode, prefix: u32Key(filter.opcode), ...window })
  if (filter.body_hash)
    parts.push({ table: tables.msg_by_body, prefix: filter.body_hash.subarray(0, HASH_PREFIX), ...window })
  return parts
}

const NOTHING: Pick<KeyList, 'from' | 'rankSize'> = { from: () => [], rankSize: LT_SIZE }

/** What finding the place of a message in the list costs, in rows. */
const ROW_COST = 2

type ReadByKey = Map<string, ReadMessage>

type Parts = Pick<KeyList, 'from' | 'rankSize' | 'skip'>

/** The messages with the given hashes, each once; what was read of them goes into `read`, by key. */
function* byHashes(
  source: Source,
  filter: MessageFilter,
  sort: SortOrder,
  budget: Budget,
  read: ReadByKey,
): Steps<Parts> {
  const { tables } = source
  const found = new Map<string, Buffer>()
  for (const message of yield* messagesByHashes(tables, filter.hashes ?? [], budget)) {
    const { transaction, n } = message.place
    if (!isStored(source, transaction)) continue
    const key = u64Key(listedAt(message).lt, messageKey(txKey(transaction), n))
    const name = key.toString('latin1')
    found.set(name, key)
    read.set(name, message)
    budget.spend(ROW_COST)
    if (budget.isTurnOver()) yield
  }
  const keys = [...found.values()].sort(inOrderOf(sort))
  return { rankSize: LT_SIZE, from: (start) => since(keys, start, sort) }
}

const partsIn = (source: Source, filter: MessageFilter, sort: SortOrder, budget: Budget): Parts => {
  const { tables } = source
  const parts = partsOf(source, filter)
  if (!parts) return NOTHING
  const [first, second] = parts
  if (first && second) return { rankSize: LT_SIZE, from: (start) => rankedInAll(parts, sort, budget, start) }
  if (first) return { rankSize: LT_SIZE, ...rankedList(first, sort, budget) }
  const whole = Buffer.alloc(0)
  if (!isTimed(filter)) {
    const part = { table: tables.msg_by_lt, prefix: whole, ...ltWindow(tables, filter) }
    return { rankSize: LT_SIZE, ...rankedList(part, sort, budget) }
  }
  const part = { table: tables.msg_by_created_at, prefix: whole, ...timeWindow(filter) }
  return { rankSize: TIME_LT_SIZE, ...rankedList(part, sort, budget) }
}

/** Pages of IndexReader.messages */
export const messagePages = (source: Source, filter: MessageFilter, sort: SortOrder): Pages<MessageRecord> => {
  const { tables } = source
  const byHash = isGiven(filter.hashes)
  /** With hashes all that they lead to, else what was looked at for the page. */
  const read: ReadByKey = new Map()
  const look = createBudget()

  const open = function* (budget: Budget): Steps<KeyList> {
    const list = byHash ? yield* byHashes(source, filter, sort, budget, read) : partsIn(source, filter, sort, budget)
    const byTime = list.rankSize === TIME_LT_SIZE
    const exact = isExact(filter) && (byTime ? !isBoundByLt(filter) : !isTimed(filter)) && !byHash
    const byRow = isTimed(filter) && !byTime
    let readAt = storedMessageReader(tables)
    const isListed = (key: Buffer): boolean => {
      const place = messagePlaceOf(key)
      if (byTime && !isWithin(filter, key.readUInt32BE(0), key.readBigUInt64BE(TIME_SIZE))) return false
      const known = byHash ? undefined : byPlace(filter, place.n)
      if (known === false || (known && !byRow)) return known
      budget.spend(ROW_COST)
      if (byRow && place.n > 0) {
        if (!isSentInTime(tables, filter, place.transaction)) return false
        if (known) {
          budget.spend(CELL_COST)
          return true
        }
      }
      if (filter.direction === 'in' && place.n > 0 && isAlone(source, place.transaction)) return false
      const name = key.toString('latin1')
      const message = read.get(name) ?? readMessageBy(readAt, place, budget)
      if (!message || (byHash && !isStored(source, place.transaction)) || !accepts(tables, filter, message))
        return false
      read.set(name, message)
      return true
    }
    return {
      ...list,
      from: (start) => {
        readAt = storedMessageReader(tables)
        return list.from(start)
      },
      keySize: list.rankSize + MESSAGE_KEY_SIZE,
      accepts: isListed,
      skip: exact ? list.skip : undefined,
    }
  }

  return pagesOf(open, (keys) => {
    const readAt = storedMessageReader(tables)
    const records = keys.flatMap((key) => {
      look.renew()
      const message = read.get(key.toString('latin1')) ?? readMessageBy(readAt, messagePlaceOf(key), look)
      return message ? messageRecord(tables, message, filter.direction) : []
    })
    if (!byHash) read.clear()
    return records
  })
}
