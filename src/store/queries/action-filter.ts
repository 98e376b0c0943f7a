import type { Steps } from '../../common/steps.ts'
import type { ActionFilter } from '../../model/index-records.ts'
import type { TraceRow, TransactionKey } from '../../model/trace-changes.ts'
import { actionBytes } from '../action-rows.ts'
import { type ActionAccounts, type ActionView, scanActions } from '../action-scan.ts'
import { findTypeNumber, TYPE_NUMBERS } from '../action-types.ts'
import { transactionByHash } from '../find.ts'
import { behind, HASH_PREFIX, memberKey, readTxKey, TRANSACTION_KEY_SIZE, txKey, u32u64Key } from '../keys.ts'
import { someKeys } from '../scan.ts'
import { rootOf, traceAt, transactionsOfTrace } from '../write-traces.ts'
import { type Budget, SEEK_COST } from './budget.ts'
import { distinct, messagesByHash } from './message-rows.ts'
import { isGiven } from './paging.ts'
import { rowOf, type Source } from './transaction-rows.ts'
import { isWithin } from './windows.ts'

/** A filter on actions with all that it names looked up. */
export interface WantedActions {
  filter: ActionFilter
  /** Numbers of the types that can be in the list. */
  types: ReadonlySet<number>
  /** Numbers of types whose parts are not in it. */
  whole: ReadonlySet<number>
  /** Interned; undefined: all. */
  account: number | undefined
  /** First bytes of ids; undefined: all. */
  ids: ReadonlySet<string> | undefined
  /** Of each of these sets an action must have a transaction. */
  transactions: readonly ReadonlySet<TransactionKey>[]
}

const nameOf = (hash: Buffer): string => hash.toString('latin1', 0, HASH_PREFIX)

const numbersOf = (names: Iterable<string>): Set<number> =>
  new Set(Array.from(names, findTypeNumber).filter((number) => number !== undefined))

const typesOf = ({ types, exclude_types, supported }: ActionFilter): Set<number> => {
  const named = isGiven(types) ? types : supported
  return (named ? numbersOf(named) : new Set(TYPE_NUMBERS)).difference(numbersOf(exclude_types ?? []))
}

function* transactionsByHash(
  { tables }: Source,
  { tx_hashes = [], msg_hashes = [] }: ActionFilter,
  budget: Budget,
): Steps<Set<TransactionKey>[]> {
  const [byHash, byMessage] = [new Set<TransactionKey>(), new Set<TransactionKey>()]
  for (const hash of tx_hashes) {
    budget.spend(SEEK_COST)
    if (budget.isTurnOver()) yield
    const place = transactionByHash(tables, hash)
    if (place !== undefined) byHash.add(place)
  }
  for (const hash of distinct(msg_hashes)) {
    for (const { place } of yield* messagesByHash(tables, hash, budget)) byMessage.add(place.transaction)
    if (budget.isTurnOver()) yield
  }
  return [...(tx_hashes.length > 0 ? [byHash] : []), ...(msg_hashes.length > 0 ? [byMessage] : [])]
}

/** Looks up what a filter names. Undefined where nothing can fit: an account that was never seen. */
export function* wantedActions(source: Source, filter: ActionFilter, budget: Budget): Steps<WantedActions | undefined> {
  const account = filter.account && source.addresses.find(filter.account)
  if (filter.account && account === undefined) return undefined
  return {
    filter,
    types: typesOf(filter),
    whole: numbersOf(filter.supported ?? []),
    account,
    ids: isGiven(filter.action_ids) ? new Set(filter.action_ids.map(nameOf)) : undefined,
    transactions: yield* transactionsByHash(source, filter, budget),
  }
}

/** The account's transactions from one lt to another; undefined where there are more than `most`. */
const transactionsBetween = (
  { tables }: Source,
  account: number,
  { start_lt, end_lt }: Pick<TraceRow, 'start_lt' | 'end_lt'>,
  most: number,
): TransactionKey[] | undefined => {
  const range = { from: u32u64Key(account, start_lt), to: behind(u32u64Key(account, end_lt)) }
  const keys = someKeys(tables.tx_by_account, range, 'asc', most + 1)
  return keys.length > most ? undefined : keys.map((key) => readTxKey(key, key.length - TRANSACTION_KEY_SIZE))
}

/** What costs as much as a row: members of a trace that are counted, bytes of actions that are gone through. */
const MEMBERS_COUNTED = 20
const BYTES_SCANNED = 200

/** Members of a trace of which the places are counted one by one; of more all members are read. */
const FEW_MEMBERS = 8

/** The place of a transaction among those of its trace. */
const placeIn = ({ tables }: Source, root: TransactionKey, key: TransactionKey): number => {
  const before = tables.trace_txs.getCount({ start: txKey(root), end: memberKey(root, key) })
  return root < key ? before + 1 : before
}

/** Which transactions of a trace, by their places, are the account's. */
const placesOf = (source: Source, trace: TraceRow, account: number, budget: Budget): Set<number> => {
  const { tables } = source
  const between = transactionsBetween(source, account, trace, trace.nodes)
  const own = between?.filter((key) => rootOf(tables, key) === trace.root)
  budget.spend(between?.length ?? 0)
  if (own && own.length <= FEW_MEMBERS) {
    budget.spend(own.length + trace.nodes / MEMBERS_COUNTED)
    return new Set(own.map((key) => placeIn(source, trace.root, key)))
  }
  const members = transactionsOfTrace(tables, trace.root)
  budget.spend(members.length)
  const known = own && new Set(own)
  const isOwn = (key: TransactionKey): boolean => known?.has(key) ?? rowOf(tables, key).account === account
  return new Set(members.flatMap((key, place) => (isOwn(key) ? [place] : [])))
}

/** Whether each of the actions of a trace fits; what it asks of the tables is read before. */
const fitting = (
  source: Source,
  wanted: WantedActions,
  trace: TraceRow,
  budget: Budget,
): ((action: ActionView, accounts: ActionAccounts['ids']) => boolean) => {
  const { types, whole, account, ids, transactions } = wanted
  const members = transactions.length === 0 ? [] : transactionsOfTrace(source.tables, trace.root)
  budget.spend(members.length)
  const own = account === undefined ? undefined : placesOf(source, trace, account, budget)
  const isOwn = (action: ActionView, accounts: ActionAccounts['ids']): boolean =>
    !own ||
    (own.size > 0 && action.transactions().some((place) => own.has(place))) ||
    action.accounts().some((place) => accounts[place] === account)
  return (action, accounts) =>
    types.has(action.type) &&
    isOwn(action, accounts) &&
    !action.ancestors().some((type) => whole.has(type)) &&
    (!ids || ids.has(nameOf(action.id()))) &&
    transactions.every((some) => action.transactions().some((place) => some.has(members[place]!)))
}

const isWanted = ({ filter }: WantedActions, trace: TraceRow): boolean => {
  if (!isWithin(filter, trace.end_utime, trace.end_lt)) return false
  if (filter.mc_seqno !== undefined && trace.mc_seqno_end !== filter.mc_seqno) return false
  return !isGiven(filter.trace_ids) || filter.trace_ids.some((id) => id.equals(trace.root_hash))
}

/** An action of a trace that fits: its place in the row of the trace, ascending, and the first bytes of its id. */
export interface FittingAction {
  place: number
  id: Buffer
}

/** The actions of a trace that fit. Undefined where nothing is noted of the trace, or it does not fit itself. */
export const fittingActions = (
  source: Source,
  wanted: WantedActions,
  root: TransactionKey,
  budget: Budget,
): { trace: TraceRow; actions: FittingAction[] } | undefined => {
  budget.spend(2)
  const trace = traceAt(source.tables, root)
  if (!trace || !isWanted(wanted, trace)) return undefined
  const fits = fitting(source, wanted, trace, budget)
  const bytes = actionBytes(source.tables, root)
  if (!bytes) return undefined
  budget.spend(bytes.length / BYTES_SCANNED)
  let ids: ActionAccounts['ids'] = []
  const actions: FittingAction[] = []
  scanActions(
    bytes,
    (accounts) => {
      ids = accounts.ids
    },
    (action) => {
      if (fits(action, ids)) actions.push({ place: action.place, id: action.id() })
    },
  )
  return { trace, actions }
}
