import type { Clock } from '../../common/clock.ts'
import { isTonlithError, type TonlithError } from '../../common/errors.ts'
import { insist } from '../../common/insist.ts'
import type { EntityKind } from '../../model/entities.ts'
import type { Address } from '../../ton/address.ts'
import { type Comparison, compareAccount } from './compare-account.ts'
import type { Difference } from './differences.ts'
import type { HeldAccount, Unfollowed } from './held-account.ts'
import type { LiveBlock } from './live-block.ts'

/**
 * Why an account was not compared: Unfollowed, states that are `gone` from all liteservers, and questions that stayed
 * `unanswered`.
 */
export type Incomparable = Unfollowed | 'gone' | 'unanswered'

/** How far an audit is. */
export interface AuditCounts {
  /** Accounts that were compared. */
  accounts: number
  /** Rows of each kind that were compared. */
  rows: Map<EntityKind, number>
  differences: number
  /** Accounts with rows that hold at the block where the account changed last, and not any more. */
  ofTheirBlock: number
  incomparable: Map<Incomparable, number>
  /** What was said the last time that a question stayed unanswered. */
  trouble: string | undefined
  /** The masterchain blocks at which was compared; undefined before the first one. */
  seqnos: { first: number; last: number } | undefined
}

export interface AuditOptions {
  /** Accounts (interned addresses) as one snapshot has them. */
  read(ids: readonly number[]): HeldAccount[]
  /** The network at a masterchain block. */
  open(seqno: number): Promise<LiveBlock>
  differs(address: Address, difference: Difference): void
  /** Told after each account. */
  progress(counts: AuditCounts): void
  clock: Pick<Clock, 'sleep'>
  /** Ends it early; what was compared by then stays counted. */
  signal: AbortSignal
}

/** Accounts that are read in one snapshot. */
const CHUNK = 64
/** Accounts that are asked about at the same time. */
const AT_ONCE = 8
const TRIES = 3
/** Asks again while a second try can help. */
const PATIENCE = {
  firstPauseMs: 1_000,
  longestPauseMs: 1_000,
  failed: (error: TonlithError, tries: number): boolean => error.retryable && tries < TRIES,
}

const add = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

function* chunksOf(ids: Iterable<number>): Generator<number[]> {
  let chunk: number[] = []
  for (const id of ids) {
    chunk.push(id)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Compares accounts of an index with the network, at the newest masterchain block that the index has at that moment: its
 * rows and that block are of one snapshot, so that somebody else may go on writing. Throws what `read` throws.
 */
export const auditAccounts = async (ids: Iterable<number>, options: AuditOptions): Promise<AuditCounts> => {
  const { read, differs, progress, signal } = options
  const counts: AuditCounts = {
    accounts: 0,
    rows: new Map(),
    differences: 0,
    ofTheirBlock: 0,
    incomparable: new Map(),
    trouble: undefined,
    seqnos: undefined,
  }

  const count = ({ address, rows, seqno }: HeldAccount, { differences, isOfItsBlock }: Comparison): void => {
    counts.accounts++
    for (const { entity } of rows) add(counts.rows, entity._)
    counts.differences += differences.length
    if (isOfItsBlock) counts.ofTheirBlock++
    const { first = seqno, last = seqno } = counts.seqnos ?? {}
    counts.seqnos = { first: Math.min(first, seqno), last: Math.max(last, seqno) }
    for (const difference of differences) differs(address, difference)
  }

  const fail = (error: TonlithError): void => {
    const isGone = error.kind === 'liteserver'
    add(counts.incomparable, isGone ? 'gone' : 'unanswered')
    if (!isGone) counts.trouble = error.message
  }

  const look = async (held: HeldAccount, open: AuditOptions['open']): Promise<void> => {
    if (held.unfollowed) add(counts.incomparable, held.unfollowed)
    else {
      try {
        count(held, await insist(() => compareAccount(held, open), { ...options, ...PATIENCE }))
      } catch (error) {
        if (signal.aborted) return
        if (!isTonlithError(error)) throw error
        fail(error)
      }
    }
    progress(counts)
  }

  for (const chunk of chunksOf(ids)) {
    const waiting = read(chunk).values()
    const blocks = new Map<number, Promise<LiveBlock>>()
    const open = (seqno: number): Promise<LiveBlock> => {
      const coming = blocks.getOrInsertComputed(seqno, options.open)
      coming.catch(() => blocks.delete(seqno))
      return coming
    }
    const worker = async (): Promise<void> => {
      for (const held of waiting) if (!signal.aborted) await look(held, open)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    if (signal.aborted) break
  }
  return counts
}
