import type { Steps } from '../../common/steps.ts'
import type { SortOrder, TransactionFilter, TransactionRecord } from '../../model/index-records.ts'
import { seqnoOfKey } from '../../model/trace-changes.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { transactionByHash } from '../find.ts'
import { TRANSACTION_KEY_SIZE, txKey, u32Key, u64Key } from '../keys.ts'
import { historyBetween } from './account-window.ts'
import { blocksMatching } from './block-list.ts'
import { type Budget, SEEK_COST } from './budget.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { arranged, inOrderOf, merged, type RankedSource, rankedKeys, since } from './ranked.ts'
import { LT_SIZE, ltRank, TIME_LT_SIZE } from './ranks.ts'
import { type Accepts, indexed } from './transaction-lists.ts'
import {
  blockPlace,
  byAccount,
  placeOf,
  rowOf,
  type Source,
  storedOnly,
  transactionRecords,
} from './transaction-rows.ts'
import { transactionsOfBlock, transactionsOfShard, transactionsUnder } from './transactions-of-block.ts'
import { isTimed, isWithin, ltWindow, timeWindow } from './windows.ts'

const LT_KEY_SIZE = LT_SIZE + TRANSACTION_KEY_SIZE

/** Interned ids of the addresses that are stored. */
const idsOf = ({ addresses }: Source, filter: TransactionFilter['accounts']): Set<number> | undefined => {
  if (!filter || filter.length === 0) return undefined
  return new Set(filter.map((address) => addresses.find(address)).filter((id) => id !== undefined))
}

const hasHash = (hashes: TransactionFilter['hashes']): ((hash: Buffer) => boolean) => {
  if (!hashes || hashes.length === 0) return () => true
  const wanted = new Set(hashes.map((hash) => hash.toString('latin1')))
  return (hash) => wanted.has(hash.toString('latin1'))
}

/** Every part of the filter, asked of one transaction. */
const acceptance = (source: Source, filter: TransactionFilter, budget: Budget): Accepts => {
  const { workchain, shard, seqno, mc_seqno, lt } = filter
  const accounts = idsOf(source, filter.accounts)
  const excluded = idsOf(source, filter.exclude_accounts)
  const isWanted = hasHash(filter.hashes)
  const ofBlock = workchain !== undefined || shard !== undefined || seqno !== undefined
  return (ranked) => {
    budget.spend(1)
    const place = placeOf(ranked)
    if (mc_seqno !== undefined && seqnoOfKey(place) !== mc_seqno) return false
    const row = rowOf(source.tables, place)
    if (accounts && !accounts.has(row.account)) return false
    if (excluded?.has(row.account) || !isWanted(row.hash)) return false
    if ((lt !== undefined && row.lt !== lt) || !isWithin(filter, row.now, row.lt)) return false
    if (!ofBlock) return true
    const block = blockPlace(source.tables, seqnoOfKey(place), row.position)
    return (
      (workchain === undefined || block.workchain === workchain) &&
      (shard === undefined || block.shard === shard) &&
      (seqno === undefined || block.seqno === seqno)
    )
  }
}

/** A list that is small enough to be put in order as a whole, once for all its pages. */
const collected = (keys: Iterable<Buffer>, sort: SortOrder, list: Omit<KeyList, 'from'>, source: Source): KeyList => {
  const ordered = [...new Map(Array.from(keys, (key) => [key.toString('latin1'), key])).values()].sort(inOrderOf(sort))
  const from = (start: Buffer | undefined): Iterable<Buffer> =>
    arranged(storedOnly(source, since(ordered, start, sort)), list.rankSize, byAccount(source))
  return { ...list, from }
}

/** True when the filter asks for nothing beyond what the chosen part of an index holds. */
const asksOnly = (filter: TransactionFilter, ...names: (keyof TransactionFilter)[]): boolean =>
  Object.entries(filter).every(
    ([name, value]) =>
      value === undefined || (Array.isArray(value) && value.length === 0) || names.some((known) => known === name),
  )

function* ofHashes({ tables }: Source, hashes: readonly Buffer[], budget: Budget): Steps<Buffer[]> {
  const keys: Buffer[] = []
  for (const hash of hashes) {
    budget.spend(SEEK_COST)
    const place = transactionByHash(tables, hash)
    if (place !== undefined) keys.push(Buffer.concat([hash, txKey(place)]))
    if (budget.isTurnOver()) yield
  }
  return keys
}

const ofAccounts = (source: Source, filter: TransactionFilter, sort: SortOrder, budget: Budget): KeyList => {
  const { tables } = source
  const { start_lt, end_lt } = filter
  const window = ltWindow(tables, { start_lt, end_lt })
  const ids = [...(idsOf(source, filter.accounts) ?? [])]
  const parts = ids.map((id): RankedSource => {
    const part = { table: tables.tx_by_account, prefix: u32Key(id), ...window }
    return historyBetween(source, part, filter, budget)
  })
  const accepts = acceptance(source, filter, budget)
  const [only] = parts
  if (parts.length === 1 && only) {
    const plain = asksOnly(filter, 'accounts', 'start_lt', 'end_lt')
    return indexed(source, only, sort, LT_SIZE, plain ? undefined : accepts, budget)
  }
  return {
    from: (start) => {
      const lists = parts.map((part) => rankedKeys(part, sort, budget, start))
      return arranged(merged(lists, sort), LT_SIZE, byAccount(source))
    },
    rankSize: LT_SIZE,
    keySize: LT_KEY_SIZE,
    accepts,
  }
}

/** The list by time, or by lt where no time is asked for. */
const ofAll = (source: Source, filter: TransactionFilter, sort: SortOrder, budget: Budget): KeyList => {
  const { tables } = source
  const accepts = acceptance(source, filter, budget)
  if (!isTimed(filter)) {
    const part = { table: tables.tx_by_lt, prefix: Buffer.alloc(0), ...ltWindow(tables, filter) }
    return indexed(source, part, sort, LT_SIZE, asksOnly(filter, 'start_lt', 'end_lt') ? undefined : accepts, budget)
  }
  const part = { table: tables.tx_by_now, prefix: Buffer.alloc(0), ...timeWindow(filter) }
  const plain = asksOnly(filter, 'start_utime', 'end_utime')
  return indexed(source, part, sort, TIME_LT_SIZE, plain ? undefined : accepts, budget)
}

function* listOf(source: Source, filter: TransactionFilter, sort: SortOrder, budget: Budget): Steps<KeyList> {
  const { tables } = source
  const { workchain, seqno, mc_seqno, hashes, lt } = filter
  const shard = filter.shard ?? (workchain === MASTERCHAIN ? SHARD_ALL : undefined)
  const accepts = acceptance(source, filter, budget)
  const byLt = { rankSize: LT_SIZE, keySize: LT_KEY_SIZE, accepts }
  if (isGiven(hashes)) {
    const keys = yield* ofHashes(source, hashes, budget)
    return collected(keys, sort, { rankSize: 32, keySize: 32 + TRANSACTION_KEY_SIZE, accepts }, source)
  }
  if (lt !== undefined) {
    const part = { table: tables.tx_by_lt, prefix: ltRank(lt) }
    const from = () => {
      const ascending = byAccount(source)(Array.from(rankedKeys(part, 'asc', budget), (place) => u64Key(lt, place)))
      return sort === 'asc' ? ascending : ascending.toReversed()
    }
    return { ...byLt, from }
  }
  if (mc_seqno !== undefined) {
    const from = (start: Buffer | undefined): Iterable<Buffer> => {
      const keys = transactionsUnder(tables, mc_seqno, sort, budget, start).map(({ ranked }) => ranked)
      return arranged(keys, LT_SIZE, byAccount(source))
    }
    return { ...byLt, from, accepts: asksOnly(filter, 'mc_seqno') ? () => true : accepts }
  }
  if (seqno !== undefined) {
    const blocks = blocksMatching(tables, { workchain, shard, seqno }, budget)
    const from = (start: Buffer | undefined): Iterable<Buffer> => {
      const lists = blocks.map((block) => transactionsOfBlock(tables, block, sort, budget, start))
      return arranged(since(merged(lists, sort), start, sort), LT_SIZE, byAccount(source))
    }
    return { ...byLt, from, accepts: asksOnly(filter, 'workchain', 'shard', 'seqno') ? () => true : accepts }
  }
  if (isGiven(filter.accounts)) return ofAccounts(source, filter, sort, budget)
  if (workchain !== undefined && shard !== undefined) {
    const at = { workchain, shard }
    const from = (start: Buffer | undefined) =>
      since(transactionsOfShard(tables, at, filter, sort, budget, start), start, sort)
    return { ...byLt, from }
  }
  return ofAll(source, filter, sort, budget)
}

/** Pages of IndexReader.transactions */
export const transactionPages = (
  source: Source,
  filter: TransactionFilter,
  sort: SortOrder,
): Pages<TransactionRecord> =>
  pagesOf(
    (budget) => listOf(source, filter, sort, budget),
    (keys) => transactionRecords(source, keys),
  )
