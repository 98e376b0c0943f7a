import type { HistoryState } from '../model/account-history.ts'
import type { SeqnoRange } from '../model/index-records.ts'
import type { DetectionCounts } from './detection-counts.ts'

/** `catching_up`: blocks that the chain has are not stored yet; `following`: each is stored as it comes. */
export type IndexState = 'starting' | 'catching_up' | 'following' | 'paused'

/** How far the histories of chosen accounts are. Plain data. */
export interface HistoryProgress {
  /** Accounts whose history is stored, as far as it is kept. */
  done: number
  left: number
  /** Some of those that are left: raw addresses, the lt (decimal) of the oldest stored transaction, what they wait for. */
  accounts: { account: string; state: HistoryState; oldest_lt: string; waits: string | null }[]
}

/** What an index is doing. Plain data, as it crosses from its Worker. */
export interface IndexStatus {
  state: IndexState
  /** Why it pauses, or what it cannot get at the moment. */
  reason: string | null
  /** The newest stored masterchain block, and its time (unix seconds). */
  seqno: number | null
  utime: number | null
  /** The newest masterchain block of the chain that is trusted. */
  head: number | null
  /** How many accounts it is about; null: all of them. */
  accounts: number | null
  /** How far their histories are; null where it is about all accounts. */
  histories: HistoryProgress | null
  ranges: SeqnoRange[]
  /** What is wanted and not stored: below the newest block only. */
  gaps: SeqnoRange[]
  /** Over the last seconds. */
  blocks_per_second: number
  transactions_per_second: number
  /** Seconds until it has caught up, at this rate; null when that cannot be told. */
  seconds_left: number | null
  /** Since its Worker started. */
  blocks: number
  transactions: number
  /** How often connections were made anew because nothing moved. */
  cures: number
  /** What was found out about accounts since its Worker started. */
  detection: DetectionCounts
  /**
   * While the actions of stored traces are noted again, because the rules or the format are new: the masterchain block from
   * which on that is done. Lists of actions may lack older ones until then. Null: all are noted.
   */
  actions_from: number | null
  /** How often matchers of actions failed since then, by their names. */
  action_faults: Record<string, number>
  disk: {
    /** Bytes of the index's file. */
    file: number
    /** Bytes that are free on its disk. */
    free: number
  } | null
}

/** Further behind than this an index that had caught up is catching up again. */
const FAR_BLOCKS = 8

/** Whether answers are those of now: it reached the head, and has since then not fallen far behind. */
export const isFollowing = (was: boolean, seqno: number | null, head: number | null): boolean => {
  if (seqno === null || head === null) return false
  return was ? head - seqno <= FAR_BLOCKS : seqno >= head
}

/** Why answers from this index may be old; undefined when they are not. */
export const whyNotReady = ({ state, reason, seqno, head }: IndexStatus): string | undefined => {
  if (state === 'following') return undefined
  const why = reason === null ? '' : `: ${reason}`
  if (state === 'paused') return `the index pauses${why}`
  if (state === 'starting' || head === null) return `the index is starting${why}`
  return `the index is catching up: at masterchain block ${seqno ?? 'none'} of ${head}${why}`
}
