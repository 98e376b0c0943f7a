import type { Steps } from '../../common/steps.ts'
import type { ActionFilter, ActionRecord, SortOrder } from '../../model/index-records.ts'
import type { TransactionKey } from '../../model/trace-changes.ts'
import { typePrefix } from '../action-rows.ts'
import { UNSETTLED_LT } from '../entries.ts'
import { HASH_PREFIX, hashKey, readTxKey, TRANSACTION_KEY_SIZE, u32Key } from '../keys.ts'
import { firstKey, keysIn, under } from '../scan.ts'
import { rootOf } from '../write-traces.ts'
import { fittingActions, type WantedActions, wantedActions } from './action-filter.ts'
import { type Budget, SEEK_COST } from './budget.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { merged, type RankedSource, rankedInAll, rankedKeys } from './ranked.ts'
import { LT_SIZE, ltRank, TIME_LT_SIZE } from './ranks.ts'
import { collected, rootsByHash } from './traces.ts'
import { placeOf, type Source } from './transaction-rows.ts'
import { isTimed, ltWindow, timeWindow } from './windows.ts'

/** Traces in which actions are looked for, as ranked keys from a place on. */
interface TraceList {
  rankSize: number
  from(start: Buffer | undefined): Iterable<Buffer>
}

/** Types by each of which an account's feed is gone through beside the list of the type. */
const FEW_TYPES = 8

/** The place of an action behind the ranked key of its trace. */
const PLACE_SIZE = 2
/** Stands for a trace without an action that fits. */
const NONE = 0xffff

const withPlace = (trace: Buffer, place: number): Buffer => {
  const key = Buffer.allocUnsafe(trace.length + PLACE_SIZE)
  key.set(trace, 0)
  key.writeUInt16BE(place, trace.length)
  return key
}

const traceOf = (key: Buffer): Buffer => key.subarray(0, key.length - PLACE_SIZE)
const placeIn = (key: Buffer): number => key.readUInt16BE(key.length - PLACE_SIZE)

/** Roots of traces by the ids of their actions, or by hashes of theirs; undefined where no such thing is asked for. */
function* namedRoots(
  { tables }: Source,
  { filter: { trace_ids, action_ids }, transactions: [some] }: WantedActions,
  budget: Budget,
): Steps<TransactionKey[] | undefined> {
  if (isGiven(action_ids)) {
    budget.spend(SEEK_COST * action_ids.length)
    const keys = action_ids.flatMap((id) => [...keysIn(tables.actions_by_id, under(hashKey(id)), 'asc')])
    return keys.map((key) => readTxKey(key, HASH_PREFIX))
  }
  if (isGiven(trace_ids)) return yield* rootsByHash({ tables }, { trace_ids }, budget)
  return some && Array.from(some, (place) => rootOf(tables, place))
}

/** The traces of all lists together. */
const together = (lists: readonly (readonly RankedSource[])[], sort: SortOrder, budget: Budget): TraceList['from'] => {
  const [first, ...others] = lists
  const keysOf = (list: readonly RankedSource[], start: Buffer | undefined) =>
    list.length === 1 ? rankedKeys(list[0]!, sort, budget, start) : rankedInAll(list, sort, budget, start)
  if (!first) return () => []
  if (others.length === 0) return (start) => keysOf(first, start)
  return (start) =>
    merged(
      lists.map((list) => keysOf(list, start)),
      sort,
    )
}

/** Types of which there are actions. */
const usedTypes = ({ tables }: Source, types: ReadonlySet<number>): number[] =>
  [...types].filter((type) => firstKey(tables.actions_by_type, under(typePrefix(type)), 'asc') !== undefined)

const byType = ({ tables }: Source, type: number, window: Pick<RankedSource, 'low' | 'high'>): RankedSource => ({
  table: tables.actions_by_type,
  prefix: typePrefix(type),
  ...window,
})

const ofAccount = (source: Source, wanted: WantedActions, sort: SortOrder, budget: Budget): TraceList => {
  const { tables } = source
  const window = ltWindow(tables, wanted.filter)
  const prefix = u32Key(wanted.account!)
  const feeds = [
    { table: tables.traces_by_account, prefix, ...window, high: window.high ?? ltRank(UNSETTLED_LT - 1n) },
    { table: tables.actions_by_account, prefix, ...window },
  ]
  const types = isGiven(wanted.filter.types) ? usedTypes(source, wanted.types) : undefined
  const lists =
    types && types.length <= FEW_TYPES
      ? types.flatMap((type) => feeds.map((feed) => [feed, byType(source, type, window)]))
      : feeds.map((feed) => [feed])
  return { rankSize: LT_SIZE, from: together(lists, sort, budget) }
}

const ofTypes = (source: Source, { filter, types }: WantedActions, sort: SortOrder, budget: Budget): TraceList => {
  const { tables } = source
  const used = usedTypes(source, types)
  if (!isTimed(filter)) {
    const window = ltWindow(tables, filter)
    const lists = used.map((type) => [byType(source, type, window)])
    return { rankSize: LT_SIZE, from: together(lists, sort, budget) }
  }
  const lists = used.map((type) => [
    { table: tables.actions_by_type_utime, prefix: typePrefix(type), ...timeWindow(filter) },
  ])
  return { rankSize: TIME_LT_SIZE, from: together(lists, sort, budget) }
}

function* tracesFor(source: Source, wanted: WantedActions, sort: SortOrder, budget: Budget): Steps<TraceList> {
  const { tables } = source
  const { filter, account } = wanted
  const named = yield* namedRoots(source, wanted, budget)
  if (named) return collected(tables, filter, named, sort)
  if (filter.mc_seqno !== undefined) {
    const keys = keysIn(tables.traces_by_mc, under(u32Key(filter.mc_seqno)), 'asc')
    return collected(
      tables,
      filter,
      Array.from(keys, (key) => readTxKey(key, 4)),
      sort,
    )
  }
  return account === undefined ? ofTypes(source, wanted, sort, budget) : ofAccount(source, wanted, sort, budget)
}

/** The actions of traces one by one, from `start` on; a trace without any that fits shows itself, so that turns can end. */
function* actionsOf(
  traces: TraceList,
  places: (trace: Buffer) => readonly number[],
  sort: SortOrder,
  start: Buffer | undefined,
): Generator<Buffer> {
  const first = start && traceOf(start)
  for (const trace of traces.from(first)) {
    const found = places(trace)
    if (found.length === 0) yield withPlace(trace, NONE)
    const ordered = sort === 'asc' ? found : found.toReversed()
    const from = start && first?.equals(trace) ? placeIn(start) : undefined
    for (const place of ordered)
      if (from === undefined || (sort === 'asc' ? place >= from : place <= from)) yield withPlace(trace, place)
  }
}

const LONGEST_KEY = TIME_LT_SIZE + TRANSACTION_KEY_SIZE + PLACE_SIZE
const NOTHING: KeyList = { from: () => [], rankSize: 0, keySize: LONGEST_KEY, varies: true, accepts: () => false }

/** Pages of IndexReader.actions */
export const actionPages = (source: Source, filter: ActionFilter, sort: SortOrder): Pages<ActionRecord> => {
  /** What was looked at for the page, by key. */
  const read = new Map<string, ActionRecord>()
  const open = function* (budget: Budget): Steps<KeyList> {
    const wanted = yield* wantedActions(source, filter, budget)
    if (!wanted) return NOTHING
    const traces = yield* tracesFor(source, wanted, sort, budget)
    const places = (trace: Buffer): number[] => {
      const found = fittingActions(source, wanted, placeOf(trace), budget)
      if (!found) return []
      for (const { place, id } of found.actions)
        read.set(withPlace(trace, place).toString('latin1'), { trace: found.trace, id })
      return found.actions.map(({ place }) => place)
    }
    const size = traces.rankSize + TRANSACTION_KEY_SIZE + PLACE_SIZE
    return {
      from: (start) => actionsOf(traces, places, sort, start),
      rankSize: size,
      keySize: size,
      accepts: (key) => placeIn(key) !== NONE,
    }
  }
  return pagesOf(open, (keys) => {
    const records = keys.flatMap((key) => read.get(key.toString('latin1')) ?? [])
    read.clear()
    return records
  })
}
