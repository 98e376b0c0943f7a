import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { createAccountSource, type FetchAccount } from '../indexer/account-source.ts'
import { runBackfill } from '../indexer/backfill.ts'
import type { Bundle, FetchBundle } from '../indexer/fetch.ts'
import { createFetch } from '../indexer/fetch.ts'
import { gapsOf, lowestWanted } from '../indexer/follow.ts'
import { createHistories, type HistoriesOptions } from '../indexer/history.ts'
import { createKeeper } from '../indexer/keep.ts'
import { runPipeline } from '../indexer/pipeline.ts'
import { createProgress, secondsLeft } from '../indexer/progress.ts'
import { type IndexState, type IndexStatus, isFollowing } from '../indexer/status.ts'
import type { LatestState } from '../indexer/store-bundle.ts'
import { createTurns } from '../indexer/turns.ts'
import { runWatchdog } from '../indexer/watchdog.ts'
import type { AccountHistory } from '../model/account-history.ts'
import type { SeqnoRange } from '../model/index-records.ts'
import { type BlockReaders, createBlockReader } from './block-reader.ts'
import { AHEAD, type IndexOrder } from './index-messages.ts'
import type { IndexPool } from './index-pool.ts'

/** What the index does with bundles; the only part that knows how they are kept. */
export interface IndexKeeping {
  /** Parses and writes; gives how many transactions were new. */
  store(bundle: Bundle): Promise<number>
  ranges(): SeqnoRange[]
  /** Raw addresses of the accounts that it is about, the same array until they change; undefined: all accounts. */
  accounts(): readonly string[] | undefined
  /** Goes over to what is chosen now; false when that is what it was. */
  choose(): boolean
  /** The histories of the chosen accounts. What it writes must not overlap with other writing. */
  histories: Pick<HistoriesOptions, 'store' | 'histories' | 'tooOld' | 'floor'> & {
    /** Stores what touches any chosen account, not counting the masterchain block as indexed. */
    keep(bundle: Bundle, fetchAccount: FetchAccount): Promise<number>
    keepState(state: LatestState): Promise<void>
    note(history: AccountHistory): void
  }
  /** Unix seconds of the newest stored masterchain block. */
  utime(): number | null
  disk(): IndexStatus['disk']
  detection(): IndexStatus['detection']
  actionFaults(): IndexStatus['action_faults']
  actionsFrom(): IndexStatus['actions_from']
  /**
   * Removes a little of what is no longer to be kept, or notes again what is noted by old rules; false when there is
   * nothing of either.
   */
  prune(): boolean
  /** The masterchain seqno below which nothing is kept any more; 0 when nothing was removed yet. */
  floor(): number
  /** True for a bundle that would be removed again at once. */
  tooOld(bundle: Bundle): boolean
}

export interface IndexRunOptions {
  order: Pick<IndexOrder, 'from' | 'backfillTo' | 'moves'>
  pool: IndexPool
  keeping: IndexKeeping
  clock: Clock
  logger: Logger
  signal: AbortSignal
  /** Starts and ends the Worker that reads blocks while there are many to catch up with; undefined: there is none. */
  readers: BlockReaders | undefined
  /** Called after each commit and change of state. */
  report(status: IndexStatus): void
}

/** So many blocks behind the head it is worth to start a Worker that reads them, and to let it go on. */
const READER_FROM = 96
const READER_UNTIL = 32
const BACKFILL_AHEAD = { maxBytes: 16 << 20, maxThings: 8 }
const STALL_MS = 30_000
const HEAD_STALL_MS = 120_000
const REPORT_MS = 1_000
const PRUNE_PAUSE_MS = 1_000
const CHOOSE_MS = 500
const HISTORY_PATIENCE_MS = 60_000

/**
 * Runs an index until `signal` ends it: the pipeline upwards, the backfill downwards, the pruning of what is no longer
 * kept, the accounts that the operator chooses, and a watchdog over them. Rejects for mistakes of ours.
 */
export const runIndex = async (options: IndexRunOptions): Promise<void> => {
  const { order, pool, keeping, readers, clock, logger, signal } = options
  const turns = createTurns()
  const progress = createProgress(clock)
  const headStart = { at: clock.monotonic(), seqno: undefined as number | undefined }
  const sources = { up: pool.source(), down: pool.source(), histories: pool.source() }
  const here = createFetch({ source: sources.up, remembered: AHEAD.maxThings + 2, signal })
  const reader = readers && createBlockReader({ readers, here, whole: () => keeping.accounts() === undefined })
  let cures = 0
  let following = false

  const seqno = (): number | null => keeping.ranges().at(-1)?.last ?? null
  const head = (): number | null => pool.head.seqno() ?? null

  const lowest = (): number | undefined => {
    const wanted = lowestWanted(order.from, order.backfillTo)
    return wanted === undefined ? undefined : Math.max(wanted, keeping.floor())
  }

  const fetch: FetchBundle = (seqno) => {
    if (!reader) return here(seqno)
    if ((head() ?? 0) - seqno >= (reader.runs() ? READER_UNTIL : READER_FROM)) return reader.fetch(seqno)
    if (!reader.busy()) reader.rest()
    return here(seqno)
  }

  /** Blocks per second by which the chain grew since its head was first seen. */
  const chainRate = (): number => {
    const now = head()
    if (now !== null && headStart.seqno === undefined) {
      headStart.seqno = now
      headStart.at = clock.monotonic()
    }
    const seconds = (clock.monotonic() - headStart.at) / 1000
    return now === null || headStart.seqno === undefined || seconds < 1 ? 0 : (now - headStart.seqno) / seconds
  }

  const status = (): IndexStatus => {
    const ranges = keeping.ranges()
    const at = ranges.at(-1)?.last ?? null
    const top = head()
    following = isFollowing(following, at, top)
    const paused = keeper.paused()
    const state = (): IndexState => {
      if (paused !== undefined) return 'paused'
      if (following) return 'following'
      return at === null && top === null ? 'starting' : 'catching_up'
    }
    const rates = progress.rates()
    const left = top === null || at === null ? undefined : secondsLeft(top - at, rates.blocks, chainRate())
    return {
      state: state(),
      reason: paused ?? sources.up.troubles()[0] ?? reader?.troubles()[0] ?? null,
      seqno: at,
      utime: keeping.utime(),
      head: top,
      accounts: keeping.accounts()?.length ?? null,
      histories: keeping.accounts() ? histories.progress() : null,
      ranges,
      gaps: gapsOf(ranges, lowest()),
      blocks_per_second: rates.blocks,
      transactions_per_second: rates.transactions,
      seconds_left: left ?? null,
      blocks: progress.blocks,
      transactions: progress.transactions,
      cures,
      disk: keeping.disk(),
      detection: keeping.detection(),
      actions_from: keeping.actionsFrom(),
      action_faults: keeping.actionFaults(),
    }
  }

  const changed = (): void => options.report(status())
  const keeper = createKeeper({ store: keeping.store, turns, progress, clock, logger, signal, changed })

  const busy = (): boolean => !isFollowing(following, seqno(), head())

  const histories = createHistories({
    ...keeping.histories,
    source: pool.histories,
    fetch: (seqno, ended) => createFetch({ source: sources.histories, remembered: 2, signal: ended })(seqno),
    keep: async (bundle, known, ended) => {
      const fetchAccount = createAccountSource({ pool: pool.pool, clock, signal: ended })
      const fetchOther: FetchAccount = async (address, masterchain, state_hash) =>
        known?.hash().equals(state_hash) ? known : fetchAccount(address, masterchain, state_hash)
      await turns(() => keeping.histories.keep(bundle, fetchOther))
    },
    keepState: async (account, mc_seqno, newest) => {
      const { masterchainId, block } = sources.histories
      const masterchain = await block(await masterchainId(newest, signal), signal)
      await turns(() => keeping.histories.keepState({ account, mc_seqno, masterchain }))
    },
    note: (history, wanted) =>
      turns(async () => {
        if (wanted()) keeping.histories.note(history)
      }),
    busy,
    troubles: sources.histories.troubles,
    patienceMs: HISTORY_PATIENCE_MS,
    clock,
    signal,
    changed,
  })

  /** A small change between two blocks; what keeps the disk from being written to is told by the keeper. */
  const changes = async (change: () => boolean): Promise<boolean> => {
    try {
      return await turns(async () => change())
    } catch (error) {
      if (!isTonlithError(error)) throw error
      return false
    }
  }

  const prune = async (): Promise<never> => {
    for (;;) {
      signal.throwIfAborted()
      await clock.sleep((await changes(keeping.prune)) ? 0 : PRUNE_PAUSE_MS, signal)
    }
  }

  const warnOfNone = (): void => {
    if (keeping.accounts()?.length === 0) logger.warn({}, 'no account is chosen: nothing but blocks is indexed')
  }

  const chooseNow = (): boolean => {
    const other = keeping.choose()
    if (other) histories.chosen()
    return other
  }

  const choose = async (): Promise<never> => {
    warnOfNone()
    for (;;) {
      signal.throwIfAborted()
      if (await changes(chooseNow)) {
        logger.info({ accounts: keeping.accounts()?.length }, 'other accounts are chosen now')
        warnOfNone()
        changed()
      }
      await clock.sleep(CHOOSE_MS, signal)
    }
  }

  const tell = async (): Promise<never> => {
    for (;;) {
      signal.throwIfAborted()
      changed()
      await clock.sleep(REPORT_MS, signal)
    }
  }

  const cure = (stalledMs: number): void => {
    cures++
    logger.warn({ seconds: Math.round(stalledMs / 1000), reason: sources.up.troubles()[0] }, 'the index does not move')
    pool.renew()
    reader?.rest()
  }
  const hasWork = (): boolean => head() === null || (seqno() ?? 0) < head()!
  const watch = { cure, clock, signal }

  if (reader) signal.addEventListener('abort', reader.rest)
  const parts = [
    runPipeline({
      head: pool.head,
      fetch,
      keeper,
      ranges: keeping.ranges,
      from: order.from,
      ...AHEAD,
      signal,
    }),
    runBackfill({
      fetch: createFetch({ source: sources.down, remembered: BACKFILL_AHEAD.maxThings + 2, signal }),
      keeper,
      ranges: keeping.ranges,
      lowest,
      busy,
      tooOld: keeping.tooOld,
      ...BACKFILL_AHEAD,
      clock,
      signal,
    }),
    prune(),
    choose(),
    histories.run(),
    tell(),
    runWatchdog({
      ...watch,
      mark: () => `${progress.blocks} ${keeper.paused()}`,
      idle: () => !hasWork() || keeper.paused() !== undefined,
      stallMs: STALL_MS,
    }),
    runWatchdog({ ...watch, mark: () => String(head()), idle: () => !order.moves, stallMs: HEAD_STALL_MS }),
  ]
  try {
    await Promise.all(parts)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (signal.aborted) await Promise.allSettled(parts)
  }
}
