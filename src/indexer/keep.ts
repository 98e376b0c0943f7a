import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Bundle } from './fetch.ts'
import type { Progress } from './progress.ts'
import type { Turns } from './turns.ts'

/** Brings bundles into the store. */
export interface Keeper {
  /**
   * Stores a bundle. While that cannot be done (the disk is full, the block does not fit what is stored) it waits and
   * tries again, so nothing is skipped. Rejects when `signal` ended it before.
   */
  keep(bundle: Bundle): Promise<void>
  /** Why nothing can be stored now; undefined when something can. */
  paused(): string | undefined
}

export interface KeeperOptions {
  /** Parses and writes; gives how many transactions were new. A TonlithError means that it may work later. */
  store(bundle: Bundle): Promise<number>
  turns: Turns
  progress: Progress
  clock: Clock
  logger: Logger
  signal: AbortSignal
  /** Called after each commit and whenever the keeper pauses or goes on. */
  changed(): void
}

const FIRST_PAUSE_MS = 500
/** Short, so that the index goes on soon after a disk that was full for long has room again. */
const LONGEST_PAUSE_MS = 2_000

export const createKeeper = (options: KeeperOptions): Keeper => {
  const { store, turns, progress, clock, logger, signal, changed } = options
  const reasons = new Map<number, string>()

  const pause = (seqno: number, reason: string): void => {
    if (reasons.get(seqno) === reason) return
    reasons.set(seqno, reason)
    logger.error({ seqno, reason }, 'the index pauses; it goes on by itself once that is over')
    changed()
  }

  const goOn = (seqno: number): void => {
    if (reasons.delete(seqno)) logger.info({ seqno }, 'the index goes on')
  }

  return {
    keep: async (bundle) => {
      const { seqno } = bundle
      for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
        signal.throwIfAborted()
        try {
          const transactions = await turns(() => store(bundle))
          goOn(seqno)
          progress.committed(transactions)
          return changed()
        } catch (error) {
          if (signal.aborted || !isTonlithError(error)) throw error
          pause(seqno, error.message)
          await clock.sleep(ms, signal)
        }
      }
    },
    paused: () => reasons.values().next().value,
  }
}
