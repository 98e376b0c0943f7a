import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type AccountHistory, isDone } from '../model/account-history.ts'
import { rawAddress } from '../ton/address.ts'
import { type HistoryWalkOptions, walkHistory } from './history-walk.ts'
import type { HistoryProgress } from './status.ts'

export interface HistoriesOptions extends HistoryWalkOptions {
  /** The histories of all accounts that are chosen now. */
  histories(): Iterable<AccountHistory>
  /** Writes how far one is, if it is `wanted` still when it comes to that. */
  note(history: AccountHistory, wanted: () => boolean): Promise<void>
  /** True while blocks as they come should have the machine for themselves. */
  busy(): boolean
  /** What of the chain cannot be had at the moment, the one that is missing longest first. */
  troubles(): readonly string[]
  /** Milliseconds without a block that came, until a history is left for later. */
  patienceMs: number
  clock: Clock
  signal: AbortSignal
  /** Called after each part that was stored. */
  changed(): void
}

export interface Histories {
  /** Fetches histories that are wanted and not done. Never resolves; rejects when `signal` ends it, and for mistakes of ours. */
  run(): Promise<void>
  /** Other accounts are chosen: their histories are looked at anew. */
  chosen(): void
  progress(): HistoryProgress
}

/** Accounts whose histories are fetched at the same time. */
const WORKERS = 2
const LOOK_MS = 250
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const MAX_SHOWN = 20

interface Open {
  history: AccountHistory
  waits: string | null
  pause: number
  /** When it may be tried again, as the clock's monotonic time. */
  from: number
}

/**
 * Brings the histories of chosen accounts into the index, a part of each in turn, whenever the pipeline leaves time. One
 * that cannot go on is left for a while, whatever the reason; nothing is skipped.
 */
export const createHistories = (options: HistoriesOptions): Histories => {
  const { histories, note, busy, troubles, patienceMs, clock, signal, changed } = options
  let open = new Map<string, Open>()
  const working = new Set<Open>()
  let done = 0

  const read = (): void => {
    const before = open
    open = new Map()
    done = 0
    for (const history of histories()) {
      const name = rawAddress(history.address)
      const known = before.get(name)
      if (isDone(history)) done++
      else if (known?.history.since === history.since) open.set(name, Object.assign(known, { history }))
      else open.set(name, { history, waits: null, pause: FIRST_PAUSE_MS, from: 0 })
    }
  }

  /** The one that has waited longest for its turn. */
  const next = (): Open | undefined => {
    const now = clock.monotonic()
    return open.values().find((one) => !working.has(one) && one.from <= now)
  }

  /** Behind the others. */
  const requeue = (name: string, one: Open): void => {
    if (open.get(name) !== one) return
    open.delete(name)
    if (isDone(one.history)) done++
    else open.set(name, one)
  }

  /** Walks a part; `tired` is aborted, with what is missing as its reason, when no block came for too long. */
  const walk = async (history: AccountHistory, tired: AbortController): Promise<AccountHistory> => {
    const giveUp = (): void => {
      tired.abort(new TonlithError('unavailable', troubles()[0] ?? 'it takes too long'))
    }
    const timer = setTimeout(giveUp, patienceMs)
    const fetch: HistoriesOptions['fetch'] = async (seqno, ended) => {
      const bundle = await options.fetch(seqno, ended)
      timer.refresh()
      return bundle
    }
    try {
      return await walkHistory({ ...options, fetch }, history, AbortSignal.any([signal, tired.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  const goOn = async (name: string, one: Open): Promise<void> => {
    const tired = new AbortController()
    try {
      const walked = await walk(one.history, tired)
      await note(walked, () => open.get(name) === one)
      Object.assign(one, { history: walked, waits: null, pause: FIRST_PAUSE_MS })
    } catch (error) {
      if (signal.aborted) throw error
      const reason: unknown = tired.signal.aborted ? tired.signal.reason : error
      if (!isTonlithError(reason)) throw error
      one.waits = reason.message
      one.from = clock.monotonic() + one.pause
      one.pause = Math.min(2 * one.pause, LONGEST_PAUSE_MS)
    }
  }

  const work = async (): Promise<never> => {
    for (;;) {
      signal.throwIfAborted()
      const one = busy() ? undefined : next()
      if (!one) {
        await clock.sleep(LOOK_MS, signal)
        continue
      }
      const name = rawAddress(one.history.address)
      working.add(one)
      await goOn(name, one).finally(() => working.delete(one))
      requeue(name, one)
      changed()
    }
  }

  return {
    run: async () => {
      read()
      const workers = Array.from({ length: WORKERS }, work)
      try {
        await Promise.all(workers)
      } finally {
        if (signal.aborted) await Promise.allSettled(workers)
      }
    },
    chosen: read,
    progress: () => ({
      done,
      left: open.size,
      accounts: open
        .values()
        .take(MAX_SHOWN)
        .map(({ history: { address, state, oldest_lt }, waits }) => ({
          account: rawAddress(address),
          state,
          oldest_lt: String(oldest_lt),
          waits,
        }))
        .toArray(),
    }),
  }
}
