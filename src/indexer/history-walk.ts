import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { AccountHistory } from '../model/account-history.ts'
import type { BatchAccount, BatchMessage } from '../model/batch.ts'
import { readTransactionMessages } from '../model/batch-message.ts'
import { seqnoOfKey } from '../model/trace-changes.ts'
import { NO_TRANSACTION, type TransactionId } from '../model/transaction-id.ts'
import { sentAt, takenAt, transactionByHash } from '../store/find.ts'
import type { IndexStore } from '../store/index-store.ts'
import { newestRange, rangeAt } from '../store/ranges.ts'
import type { Cell } from '../ton/cell.ts'
import { parseHashUpdate, parseTransaction } from '../ton/tlb/transaction.ts'
import type { Bundle } from './fetch.ts'
import type { HistoryEdge, HistorySource } from './history-source.ts'
import { readAccountState } from './parse-accounts.ts'
import { isSent } from './trace.ts'

export interface HistoryWalkOptions {
  store: Pick<IndexStore, 'environment' | 'tables'>
  source: HistorySource
  fetch(seqno: number, signal: AbortSignal): Promise<Bundle>
  /**
   * Stores what touches any chosen account, not counting the masterchain block as indexed. `known` is an account's cell
   * that need not be fetched.
   */
  keep(bundle: Bundle, known: Cell | null, signal: AbortSignal): Promise<void>
  /**
   * Stores the latest state of an account of which no transaction is kept: masterchain block `mc_seqno` left it so, and by
   * `newest` nothing of it has changed.
   */
  keepState(account: BatchAccount, mc_seqno: number, newest: number): Promise<void>
  /** True for what is so old (unix seconds) that it would be removed again at once. */
  tooOld(utime: number): boolean
  /** The masterchain seqno below which nothing is kept any more. */
  floor(): number
}

/** Masterchain blocks that are fetched ahead of the one that is stored, and held for others that are in them. */
const AHEAD = 4
const HELD = 8

interface Walked {
  id: TransactionId
  previous: TransactionId
  now: number
  /** Hash of the account's state after it. */
  new_hash: Buffer
  in_msg: BatchMessage | null
  out_msgs: BatchMessage[]
}

const readWalked = (cell: Cell): Walked => {
  const transaction = parseTransaction(cell)
  return {
    id: { lt: transaction.lt, hash: cell.hash() },
    previous: { lt: transaction.prev_trans_lt, hash: transaction.prev_trans_hash },
    now: transaction.now,
    new_hash: parseHashUpdate(transaction.state_update).new_hash,
    ...readTransactionMessages(transaction),
  }
}

const elsewhere = (what: string, seqno: number): TonlithError =>
  new TonlithError('proof', `${what} is not in masterchain block ${seqno}, where a liteserver has it`)

/**
 * Stores a part of an account's history, the next one downwards: its transactions, those that sent them a message and
 * those that took one of theirs, and with the first part the account's latest state. What is stored already is not
 * fetched. Gives how far the history is then. A history ends with the account's first transaction; an account that was
 * destroyed is only known from the transaction on that brought it back. Throws what fetching and storing throw; what was
 * stored until then stays, and doing the part again adds the rest.
 */
export const walkHistory = async (
  options: HistoryWalkOptions,
  history: AccountHistory,
  signal: AbortSignal,
): Promise<AccountHistory> => {
  const { store, source, fetch, keep, keepState, tooOld, floor } = options
  const { environment, tables } = store
  const { address, since } = history
  const edge = history.state === 'waiting' ? await source.edge(address, signal) : undefined
  if (edge && edge.mc_seqno + 1 < since)
    throw new TonlithError('unavailable', `the liteservers are at masterchain block ${edge.mc_seqno}`)

  const bundles = new LRUCache<number, Promise<Bundle>>({ max: HELD })
  const bundleAt = (seqno: number): Promise<Bundle> => {
    const known = bundles.get(seqno)
    if (known) return known
    const coming = fetch(seqno, signal)
    coming.catch(() => bundles.delete(seqno))
    bundles.set(seqno, coming)
    return coming
  }

  const kept = new Set<number>()
  /** Stores a masterchain block, but for one that is too old. */
  const take = async (seqno: number): Promise<void> => {
    if (kept.has(seqno) || seqno < floor()) return
    const bundle = await bundleAt(seqno)
    if (tooOld(bundle.masterchain.info.gen_utime)) return
    await keep(bundle, edge?.account ?? null, signal)
    environment.renew()
    kept.add(seqno)
  }

  const storedAt = ({ id }: Walked): number | undefined => {
    const key = transactionByHash(tables, id.hash)
    return key === undefined ? undefined : seqnoOfKey(key)
  }

  const places = new Map<bigint, Promise<number>>()
  const placeOf = (one: Walked): Promise<number> => {
    const known = places.get(one.id.lt)
    if (known) return known
    const stored = storedAt(one)
    const coming = stored === undefined ? source.committedAt(address, one.id.lt, signal) : Promise.resolve(stored)
    coming.catch(() => places.delete(one.id.lt))
    places.set(one.id.lt, coming)
    return coming
  }

  const prefetch = (one: Walked | undefined): void => {
    if (!one || tooOld(one.now) || storedAt(one) !== undefined) return
    placeOf(one)
      .then((seqno) => (seqno < floor() ? undefined : bundleAt(seqno)))
      .catch(() => {})
  }

  /** Of the transactions of one masterchain block the last one leaves the account in a state that is stored. */
  const takeOwn = async (one: Walked, seqno: number, newer: number | undefined): Promise<void> => {
    if (storedAt(one) !== undefined && (seqno === newer || tables.account_states.doesExist(one.new_hash))) return
    await take(seqno)
    if (kept.has(seqno) && storedAt(one) !== seqno) throw elsewhere('a transaction', seqno)
  }

  const takeSender = async ({ in_msg }: Walked): Promise<void> => {
    if (!in_msg?.source || !isSent(in_msg) || sentAt(tables, in_msg.hash)) return
    const seqno = await source.committedAt(in_msg.source, in_msg.created_lt ?? 0n, signal)
    await take(seqno)
    if (kept.has(seqno) && !sentAt(tables, in_msg.hash)) throw elsewhere('the sender of a message', seqno)
  }

  /** What is not taken up to the newest indexed block will be when blocks with its taker come. */
  const takeTakers = async ({ out_msgs }: Walked, from: number): Promise<void> => {
    const isOpen = ({ kind, hash }: BatchMessage): boolean => kind === 'internal' && !takenAt(tables, hash)
    for (let seqno = from; out_msgs.some(isOpen) && seqno <= (newestRange(tables)?.last ?? 0); ) {
      const range = seqno < since ? undefined : rangeAt(tables, seqno)
      if (!range) await take(seqno)
      seqno = (range?.last ?? seqno) + 1
    }
  }

  const keepEdge = async ({ account, last, mc_seqno: newest }: HistoryEdge, mc_seqno: number): Promise<void> => {
    const state = account && readAccountState(address, account, last)
    if (state) await keepState(state, mc_seqno, newest)
  }

  const from = edge?.last ?? history.next
  if (from.lt === 0n) {
    if (edge) await keepEdge(edge, edge.mc_seqno)
    return { ...history, state: 'complete', next: NO_TRANSACTION }
  }
  const page = (await source.transactions(address, from, signal)).map(readWalked)
  environment.renew()
  for (let i = 0; i < AHEAD; i++) prefetch(page[i])
  let at = history
  let newer: number | undefined
  for (const [i, one] of page.entries()) {
    const seqno = await placeOf(one)
    if (tooOld(one.now) || seqno < floor()) {
      if (edge && i === 0) await keepEdge(edge, seqno)
      return { ...at, state: 'cut', next: NO_TRANSACTION }
    }
    prefetch(page[i + AHEAD])
    await takeOwn(one, seqno, newer)
    await takeSender(one)
    await takeTakers(one, seqno)
    newer = seqno
    at = { ...at, state: 'under_way', next: one.previous, oldest_lt: one.id.lt }
  }
  return at.next.lt === 0n ? { ...at, state: 'complete' } : at
}
