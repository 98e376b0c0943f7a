import { lesser } from '../common/bigint-order.ts'
import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import { type MessageFailure, refusalFailure } from '../contracts/message-failure.ts'
import type { EmulatedTransaction, Refusal } from '../model/emulated-trace.ts'
import type { Transaction } from '../model/transaction.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { normalizedMessageHash } from '../ton/message-hash.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { accountEdge } from './accounts.ts'
import type { Chain } from './chain.ts'
import { emulateTrace } from './emulate-trace.ts'
import { createPendingTraces, type PendingTrace, type PendingTraces } from './pending-traces.ts'
import { readTransactions } from './transactions.ts'

export interface PendingWatch {
  traces: PendingTraces
  stop(): void
}

export interface PendingWatchOptions {
  clock: Clock
  /** What the network is read through; undefined before there is something. */
  chain(): Chain | undefined
  /** True where an index has the whole trace of a message, so that nobody needs ours. Left out where there is no index. */
  isIndexed?: ((pending: PendingTrace) => boolean) | undefined
  /** Is told what went wrong that should not. */
  failed(error: unknown): void
}

/** Milliseconds from one look at the chain to the next. */
const LOOK_MS = 250
/** Accounts that one look asks for. */
const ACCOUNTS_PER_LOOK = 40
/** Milliseconds for which nodes keep a message that no block holds. */
const LIFETIME_MS = 600_000
/** Milliseconds after which it is tried again whether an account would still take a late message. */
const RETRY_MS = 20_000
/** Milliseconds for which an index may lag behind what the chain shows. */
const KEPT_MS = 600_000
/** Milliseconds after which the index is asked about one again. */
const ASKED_MS = 10_000
/** Messages about which the index is asked in one look. */
const ASKED_PER_LOOK = 50
const EMULATION_MS = 3_000
/** Emulations that run at once; the others wait, so that other callers of the TVM have their turn. */
const EMULATIONS = 2
/** Emulations for one account within the time after it. */
const MAX_PER_ACCOUNT = 10
const ACCOUNT_MS = 10_000
/** Transactions of an account that are looked through for a message. */
const SEARCHED = 32

const TOO_LATE: MessageFailure = {
  phase: 'delivery',
  code: null,
  reason: 'no transaction took it within ten minutes, and nodes keep it no longer',
}

/** Lets so many pieces of work run at once. */
const createLanes = (lanes: number) => {
  const waiting: (() => void)[] = []
  let free = lanes
  return async (work: () => Promise<void>): Promise<void> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Counts the emulations for each account; true while there may be one more. */
const createAdmission = (clock: Clock) => {
  let counts = new Map<string, number>()
  let since = clock.monotonic()
  return (account: Address): boolean => {
    if (clock.monotonic() - since >= ACCOUNT_MS) {
      counts = new Map()
      since = clock.monotonic()
    }
    const key = rawAddress(account)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count < MAX_PER_ACCOUNT
  }
}

const tookMessage = (transaction: Transaction, hash_norm: Buffer): boolean => {
  const { in_msg } = parseTransaction(transaction.cell)
  return in_msg !== null && normalizedMessageHash(in_msg).equals(hash_norm)
}

/** The real transaction in the place of the emulated one; undefined where nothing tells how it leaves the account. */
const realRoot = (pending: PendingTrace, cell: Cell, mc_seqno: number): EmulatedTransaction | undefined =>
  pending.root && { ...pending.root, cell, mc_seqno, emulated: false }

const failureOf = (refusal: Refusal): MessageFailure =>
  refusalFailure('exit_code' in refusal ? refusal.exit_code : undefined)

const wasTried = ({ root, refusal }: PendingTrace): boolean => root !== undefined || refusal !== undefined

/** The account's transactions up to this lt did not take the message. */
const knownTo = ({ searchedTo, root }: PendingTrace): bigint =>
  searchedTo ?? (root ? parseTransaction(root.cell).prev_trans_lt : 0n)

/**
 * Keeps the external messages that are sent through this gateway: emulates each, looks for its transaction on the chain,
 * puts that in the place of the emulated one, and ends those that no transaction can take any more, or took in ten minutes.
 */
export const startPendingWatch = (options: PendingWatchOptions): PendingWatch => {
  const { clock, chain: chainNow, isIndexed, failed } = options
  const stopping = new AbortController()
  const inLane = createLanes(EMULATIONS)
  const admits = createAdmission(clock)

  const emulate = async (pending: PendingTrace, root?: EmulatedTransaction): Promise<void> => {
    const chain = chainNow()
    if (!chain || stopping.signal.aborted) return
    const { message, emulatedAt } = pending
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(EMULATION_MS)])
    const seqno = root && emulatedAt
    const trace = await emulateTrace(chain, { message, ignore_chksig: false, seqno, root, signal })
    const { refusal, block } = trace
    if (refusal && pending.root) pending.doubt = { refusal, seqno: block.seqno }
    else traces.show(pending, trace)
  }
  const triedAt = new WeakMap<PendingTrace, number>()
  /** Expected failures leave what was known before. */
  const tryEmulate = async (pending: PendingTrace, root?: EmulatedTransaction): Promise<void> => {
    if (!root && !admits(pending.destination)) return
    triedAt.set(pending, clock.monotonic())
    try {
      await inLane(() => emulate(pending, root))
    } catch (error) {
      if (!isTonlithError(error)) failed(error)
    }
  }
  const traces = createPendingTraces({ clock, start: (pending) => tryEmulate(pending) })

  const include = async (pending: PendingTrace, transaction: Transaction, seqno: number): Promise<void> => {
    const cell = transaction.cell
    const root = realRoot(pending, cell, seqno)
    pending.included = { cell, at: clock.monotonic() }
    if (root) await tryEmulate(pending, root)
  }

  /** The account took others first, or the time is over in which it would have taken this one. */
  const deny = (pending: PendingTrace, refusal: Refusal): void => {
    const { code, reason } = failureOf(refusal)
    const words = `no transaction took it, and the account takes it no more: ${reason}`
    traces.end(pending, { phase: 'delivery', code, reason: words })
  }

  /** A late message may have become too old, which its account alone can tell. */
  const isDue = (pending: PendingTrace): boolean =>
    traces.isLate(pending) && clock.monotonic() - (triedAt.get(pending) ?? 0) > RETRY_MS

  /** Looks for the messages to one account among its transactions. */
  const lookAt = async (chain: Chain, waiting: readonly PendingTrace[]): Promise<void> => {
    const { destination } = waiting[0]!
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(EMULATION_MS)])
    const seqno = chain.pool.head()?.id.seqno ?? 0
    const { transaction: newest } = await accountEdge(chain, destination, { signal, archival: 'any' })
    const behind = waiting.filter((each) => each.doubt || !wasTried(each) || isDue(each) || knownTo(each) < newest.lt)
    if (behind.length === 0) return
    const from = behind.map(knownTo).reduce(lesser, newest.lt)
    const query = { from: newest, to_lt: from, limit: SEARCHED, archival: false, signal }
    const { transactions } = newest.lt === 0n ? { transactions: [] } : await readTransactions(chain, destination, query)
    const isWhole = transactions.length < SEARCHED
    for (const pending of behind) {
      const found = transactions.find((each) => tookMessage(each, pending.hash_norm))
      pending.searchedTo = newest.lt
      if (found) await include(pending, found, seqno)
      else if (isWhole && pending.doubt && pending.doubt.seqno <= seqno) deny(pending, pending.doubt.refusal)
      else await tryEmulate(pending)
    }
  }

  const askedAt = new WeakMap<PendingTrace, number>()
  /** What was shown for long enough, and stands in the index, is kept no longer. */
  const handOver = (isIndexed: (pending: PendingTrace) => boolean): void => {
    const now = clock.monotonic()
    let left = ASKED_PER_LOOK
    for (const pending of traces.all()) {
      if (!pending.included || !traces.isOver(pending) || now - (askedAt.get(pending) ?? 0) < ASKED_MS) continue
      if (left-- === 0) return
      askedAt.set(pending, now)
      if (isIndexed(pending)) traces.end(pending, undefined)
    }
  }

  const expire = (pending: PendingTrace): void => {
    const { refusal, included, sentAt } = pending
    if (included) {
      if (clock.monotonic() - included.at > KEPT_MS) traces.end(pending, undefined)
      return
    }
    if (refusal && traces.isLate(pending)) traces.end(pending, failureOf(refusal))
    else if (clock.monotonic() - sentAt > LIFETIME_MS) traces.end(pending, TOO_LATE)
  }

  let lookedAt = 0
  const look = async (chain: Chain): Promise<void> => {
    for (const pending of traces.all()) expire(pending)
    if (isIndexed) handOver(isIndexed)
    const waiting = Array.from(traces.all()).filter(
      (each) => !each.included && (!traces.isLate(each) || each.doubt || isDue(each)),
    )
    const accounts = [...Map.groupBy(waiting, ({ destination }) => rawAddress(destination)).values()]
    const first = accounts.length > ACCOUNTS_PER_LOOK ? lookedAt % accounts.length : 0
    const chosen = [...accounts.slice(first), ...accounts.slice(0, first)].slice(0, ACCOUNTS_PER_LOOK)
    lookedAt = first + chosen.length
    await Promise.all(
      chosen.map((each) =>
        lookAt(chain, each).catch((error) => {
          if (!isTonlithError(error)) failed(error)
        }),
      ),
    )
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await clock.sleep(LOOK_MS, stopping.signal)
      const chain = chainNow()
      if (chain && !stopping.signal.aborted) await look(chain)
    }
  }
  run().catch(failed)
  return { traces, stop: () => stopping.abort() }
}
