import type { Steps } from '../../common/steps.ts'
import type { SortOrder, TraceFilter, TraceRecord, TransactionRecord } from '../../model/index-records.ts'
import type { TransactionKey } from '../../model/trace-changes.ts'
import { traceAccountEntry, UNSETTLED_LT } from '../entries.ts'
import { transactionByHash, transactionRow } from '../find.ts'
import { HASH_PREFIX, hashKey, readTxKey, TRANSACTION_KEY_SIZE, txKey, u32Key, u32u64Key, u64Key } from '../keys.ts'
import { keysIn, someKeys, under } from '../scan.ts'
import type { Tables } from '../tables.ts'
import { rootOf, traceAt, traceEndAt } from '../write-traces.ts'
import { type Budget, SEEK_COST } from './budget.ts'
import { distinct, messagesByHash } from './message-rows.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { arranged, inOrderOf, merged, rankedKeys, rankedList, since } from './ranked.ts'
import { LT_SIZE, ltRank, TIME_LT_SIZE } from './ranks.ts'
import { byAccount, placeOf, type Source, storedRecords } from './transaction-rows.ts'
import { isBoundByLt, isTimed, isWithin, ltWindow, timeWindow } from './windows.ts'

/** True when a transaction of the trace is one of the account's. */
const touches = ({ tables, addresses }: Source, trace: TraceRecord, account: TraceFilter['account']): boolean => {
  const id = account && addresses.find(account)
  return id !== undefined && tables.traces_by_account.doesExist(traceAccountEntry(trace, id)[1])
}

/** Every part of the filter but the hashes, asked of one trace. */
const accepts = (source: Source, filter: TraceFilter, trace: TraceRecord): boolean =>
  (filter.mc_seqno === undefined || (trace.state === 'complete' && trace.mc_seqno_end === filter.mc_seqno)) &&
  (filter.account === undefined || touches(source, trace, filter.account)) &&
  isWithin(filter, trace.end_utime, trace.end_lt)

/** Roots of the traces that any of the hashes leads to. */
export function* rootsByHash(
  { tables }: Pick<Source, 'tables'>,
  filter: Pick<TraceFilter, 'trace_ids' | 'tx_hashes' | 'msg_hashes'>,
  budget: Budget,
): Steps<TransactionKey[]> {
  const roots: TransactionKey[] = []
  for (const hash of filter.trace_ids ?? []) {
    budget.spend(SEEK_COST)
    if (budget.isTurnOver()) yield
    for (const entry of keysIn(tables.tx_by_hash, under(hashKey(hash)), 'asc')) {
      const root = readTxKey(entry, HASH_PREFIX)
      if (traceAt(tables, root)?.root_hash.equals(hash)) roots.push(root)
    }
  }
  for (const hash of filter.tx_hashes ?? []) {
    budget.spend(SEEK_COST)
    if (budget.isTurnOver()) yield
    const place = transactionByHash(tables, hash)
    if (place !== undefined) roots.push(rootOf(tables, place))
  }
  for (const hash of distinct(filter.msg_hashes ?? [])) {
    for (const { place } of yield* messagesByHash(tables, hash, budget)) roots.push(rootOf(tables, place.transaction))
    if (budget.isTurnOver()) yield
  }
  return roots
}

/** A list that is small enough to be put in order as a whole, as ranked keys (end_lt, root) or (end_utime, end_lt, root). */
export const collected = (
  tables: Tables,
  filter: Pick<TraceFilter, 'account' | 'start_utime' | 'end_utime'>,
  roots: Iterable<TransactionKey>,
  sort: SortOrder,
): Pick<KeyList, 'from' | 'rankSize'> => {
  const timed = isTimed(filter) && filter.account === undefined
  const keys = [...new Set(roots)]
    .flatMap((root) => {
      const end = traceEndAt(tables, root)
      if (!end) return []
      return timed ? u32u64Key(end.end_utime, end.end_lt, txKey(root)) : u64Key(end.end_lt, txKey(root))
    })
    .sort(inOrderOf(sort))
  return { rankSize: timed ? TIME_LT_SIZE : LT_SIZE, from: (start) => since(keys, start, sort) }
}

/** The feed of an account: traces that ended in the order of their end, merged with those that go on. */
const ofAccount = (source: Source, filter: TraceFilter, sort: SortOrder, budget: Budget) => {
  const { tables, addresses } = source
  const id = filter.account && addresses.find(filter.account)
  if (id === undefined) return { rankSize: LT_SIZE, from: () => [] }
  const table = tables.traces_by_account
  const unsettled = under(u32u64Key(id, UNSETTLED_LT))
  const window = ltWindow(tables, filter)
  const settled = { table, prefix: u32Key(id), ...window, high: window.high ?? ltRank(UNSETTLED_LT - 1n) }
  if (someKeys(table, unsettled, 'asc', 1).length === 0)
    return { rankSize: LT_SIZE, ...rankedList(settled, sort, budget) }
  const pending = Array.from(keysIn(table, unsettled, 'asc'), (key) => {
    budget.spend(1)
    return readTxKey(key, key.length - TRANSACTION_KEY_SIZE)
  })
  const others = collected(tables, filter, pending, sort)
  return {
    rankSize: LT_SIZE,
    from: (start: Buffer | undefined) =>
      merged([rankedKeys(settled, sort, budget, start), others.from(start)[Symbol.iterator]()], sort),
  }
}

function* partsOf(
  source: Source,
  filter: TraceFilter,
  sort: SortOrder,
  budget: Budget,
): Steps<Pick<KeyList, 'from' | 'rankSize' | 'skip'>> {
  const { tables } = source
  const { trace_ids, tx_hashes, msg_hashes, mc_seqno, account } = filter
  if (isGiven(trace_ids) || isGiven(tx_hashes) || isGiven(msg_hashes))
    return collected(tables, filter, yield* rootsByHash(source, filter, budget), sort)
  if (mc_seqno !== undefined) {
    const keys = keysIn(tables.traces_by_mc, under(u32Key(mc_seqno)), 'asc')
    return collected(
      tables,
      filter,
      Array.from(keys, (key) => readTxKey(key, 4)),
      sort,
    )
  }
  if (account) return ofAccount(source, filter, sort, budget)
  const prefix = Buffer.alloc(0)
  if (!isTimed(filter)) {
    const part = { table: tables.traces_by_end_lt, prefix, ...ltWindow(tables, filter) }
    return { rankSize: LT_SIZE, ...rankedList(part, sort, budget) }
  }
  const part = { table: tables.traces_by_end_utime, prefix, ...timeWindow(filter) }
  return { rankSize: TIME_LT_SIZE, ...rankedList(part, sort, budget) }
}

/**
 * True when the chosen parts of indexes hold exactly what is asked for, where all of them are parts of an index or all that
 * an account has.
 */
const isExact = (filter: TraceFilter, isPart: boolean): boolean => {
  const { account, mc_seqno, trace_ids, tx_hashes, msg_hashes } = filter
  if (mc_seqno !== undefined) return false
  if (isPart) return account === undefined ? !(isTimed(filter) && isBoundByLt(filter)) : !isTimed(filter)
  const isNamed = isGiven(trace_ids) || isGiven(tx_hashes) || isGiven(msg_hashes)
  return account !== undefined && !isNamed && !isTimed(filter) && !isBoundByLt(filter)
}

/** Pages of IndexReader.traces */
export const tracePages = (source: Source, filter: TraceFilter, sort: SortOrder): Pages<TraceRecord> => {
  const { tables } = source
  const open = function* (budget: Budget): Steps<KeyList> {
    const list = yield* partsOf(source, filter, sort, budget)
    const isPart = list.skip !== undefined
    const exact = isExact(filter, isPart)
    return {
      ...list,
      keySize: list.rankSize + TRANSACTION_KEY_SIZE,
      accepts: (key) => {
        if (exact && isPart) return true
        budget.spend(1)
        if (exact) return tables.traces.doesExist(key.subarray(key.length - TRANSACTION_KEY_SIZE))
        const trace = traceAt(tables, placeOf(key))
        return trace !== undefined && accepts(source, filter, trace)
      },
      skip: exact ? list.skip : undefined,
    }
  }
  return pagesOf(open, (keys) => keys.flatMap((key) => traceAt(tables, placeOf(key)) ?? []))
}

/** Transactions of a trace that are read at once. */
const PIECE = 25

/** IndexReader.traceTransactions */
export function* queryTraceTransactions(source: Source, trace: TraceRecord, max: number): Generator<TransactionRecord> {
  const { tables } = source
  const others = someKeys(tables.trace_txs, under(txKey(trace.root)), 'asc', max).map((key) =>
    readTxKey(key, TRANSACTION_KEY_SIZE),
  )
  const keys = [trace.root, ...others]
    .flatMap((place) => {
      const row = transactionRow(tables, place)
      return row ? u64Key(row.lt, txKey(place)) : []
    })
    .sort((a, b) => a.compare(b))
  const ordered = [...arranged(keys, LT_SIZE, byAccount(source))].slice(0, max)
  for (let at = 0; at < ordered.length; at += PIECE) yield* storedRecords(source, ordered.slice(at, at + PIECE))
}
