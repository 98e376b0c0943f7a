import { LRUCache } from 'lru-cache'
import { bytesKey } from '../common/bytes-key.ts'
import type { Clock } from '../common/clock.ts'
import type { MessageFailure } from '../contracts/message-failure.ts'
import type { EmulatedTrace, EmulatedTransaction, Refusal } from '../model/emulated-trace.ts'
import { type PendingView, pendingView } from '../model/shown-trace.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'
import { normalizedMessageHash } from '../ton/message-hash.ts'
import { parseMessageInfo } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'

/** An external message that was sent, until its real trace takes over. */
export interface PendingTrace {
  /** Hash of its cell as it was sent, and the one by which all its forms are known. */
  readonly hash: Buffer
  readonly hash_norm: Buffer
  readonly message: Cell
  readonly destination: Address
  /** Milliseconds of Clock.monotonic. */
  readonly sentAt: number
  /** What is going to happen, as far as that was found out. */
  view: PendingView
  /** Its first transaction, where there is one; else why the account did not take it when that was tried. */
  root: EmulatedTransaction | undefined
  refusal: Refusal | undefined
  /** Set where the account would not take it any more as that masterchain block has it: it may have taken it by then. */
  doubt: { refusal: Refusal; seqno: number } | undefined
  /** Its transaction on the chain, and when that was first seen in milliseconds of Clock.monotonic. */
  included: { cell: Cell; at: number } | undefined
  /** The account's transactions up to this lt are not its. */
  searchedTo: bigint | undefined
  /** The masterchain seqno from whose state on it was emulated last; undefined while it was not. */
  emulatedAt: number | undefined
  /** Settles once it was emulated, or that failed. */
  ready: Promise<void>
}

/** What became of a message that no longer waits. */
export interface EndedMessage {
  readonly hash: Buffer
  readonly hash_norm: Buffer
  readonly failure: MessageFailure
}

/** The external messages that were sent through this gateway. */
export interface PendingTraces {
  /**
   * Takes a message that the network has accepted; one that waits already, and is not late, is not taken again. Where it
   * gives a promise, all processes know the message once that settles.
   */
  add(message: Cell): void | Promise<void>
  /** The one with this hash, normalised or not. */
  byHash(hash: Buffer): PendingTrace | undefined
  /** Those with a transaction of the account, or sent to it, the newest last. */
  byAccount(account: Address): PendingTrace[]
  /** One that waits no more, by its hash, normalised or not; forgotten after ten minutes. */
  ended(hash: Buffer): EndedMessage | undefined
  /** True where nothing emulated is to be shown any more: its transaction was seen long ago, or it is late. */
  isOver(pending: PendingTrace): boolean
  /** True where no transaction took it within a minute: it may still come, but is no more counted on. */
  isLate(pending: PendingTrace): boolean
  /** All that wait, the oldest first. */
  all(): Iterable<PendingTrace>
  /** Sets what is going to happen, and who it concerns. */
  show(pending: PendingTrace, emulated: EmulatedTrace): void
  /** Takes one away: it failed, or (undefined) nothing more is to be told of it. */
  end(pending: PendingTrace, failure: MessageFailure | undefined): void
}

export interface PendingOptions {
  clock: Clock
  /** Emulates a message that was just taken. Never throws. */
  start(pending: PendingTrace): Promise<void>
}

const MAX_PENDING = 10_000
/** Cells of all pending traces; each takes about 300 bytes. */
const MAX_CELLS = 200_000
/** Cells that a trace counts as at least. */
const LEAST_CELLS = 10
const MAX_ENDED = 20_000
/** What was completed is shown for so long (contracts/v3.md 16). */
const COMPLETED_MS = 30_000
/** A message counts on its transaction for so long (contracts/v3.md 16). */
const LATE_MS = 60_000
const ENDED_MS = 600_000

const destinationOf = (message: Cell): Address | null => {
  const info = parseMessageInfo(message)
  return info._ === 'ext_in_msg_info' ? accountOf(info.dest) : null
}

const accountsOf = ({ destination, view }: PendingTrace): Set<string> =>
  new Set([destination, ...view.transactions.map(({ account }) => account)].map(rawAddress))

const cellsOf = ({ message, view, root }: PendingTrace): number => {
  const made = view.transactions.map(({ cell }) => cell)
  const contracts = view.contracts.flatMap(({ code, data }) => (data ? [code, data] : [code]))
  return LEAST_CELLS + countCells([message, ...made, ...contracts, ...(root ? [root.after] : [])], MAX_CELLS)
}

/** Makes a store without messages. */
export const createPendingTraces = ({ clock, start }: PendingOptions): PendingTraces => {
  /** By normalised hash; those that were sent first come first. */
  const waiting = new Map<string, PendingTrace>()
  /** Normalised hashes by the hash of the cell. */
  const sentAs = new Map<string, string>()
  const byAccount = new Map<string, Set<PendingTrace>>()
  const sizes = new Map<PendingTrace, number>()
  const ended = new LRUCache<string, EndedMessage>({
    max: MAX_ENDED,
    ttl: ENDED_MS,
    perf: { now: clock.monotonic },
  })
  let cells = 0

  const leave = (pending: PendingTrace): void => {
    for (const account of accountsOf(pending)) {
      const others = byAccount.get(account)
      others?.delete(pending)
      if (others?.size === 0) byAccount.delete(account)
    }
    cells -= sizes.get(pending) ?? 0
    sizes.delete(pending)
  }
  const enter = (pending: PendingTrace): void => {
    for (const account of accountsOf(pending)) byAccount.getOrInsertComputed(account, () => new Set()).add(pending)
    const size = cellsOf(pending)
    sizes.set(pending, size)
    cells += size
  }
  const isWaiting = (pending: PendingTrace): boolean => waiting.get(bytesKey(pending.hash_norm)) === pending
  const remove = (pending: PendingTrace): void => {
    leave(pending)
    waiting.delete(bytesKey(pending.hash_norm))
    sentAs.delete(bytesKey(pending.hash))
  }
  const isLate = ({ included, sentAt }: PendingTrace): boolean => !included && clock.monotonic() - sentAt > LATE_MS
  const makeRoom = (): void => {
    for (const oldest of waiting.values()) {
      if (waiting.size <= MAX_PENDING && cells <= MAX_CELLS) return
      if (waiting.size > 1) remove(oldest)
    }
  }

  return {
    add: (message) => {
      const destination = destinationOf(message)
      const hash = message.hash()
      const hash_norm = normalizedMessageHash(message)
      const known = waiting.get(bytesKey(hash_norm))
      if (!destination || (known && !isLate(known))) return
      if (known) remove(known)
      const pending: PendingTrace = {
        hash,
        hash_norm,
        message,
        destination,
        sentAt: clock.monotonic(),
        view: pendingView(message, undefined),
        root: undefined,
        refusal: undefined,
        doubt: undefined,
        included: undefined,
        searchedTo: undefined,
        emulatedAt: undefined,
        ready: Promise.resolve(),
      }
      ended.delete(bytesKey(hash))
      ended.delete(bytesKey(hash_norm))
      waiting.set(bytesKey(hash_norm), pending)
      sentAs.set(bytesKey(hash), bytesKey(hash_norm))
      enter(pending)
      makeRoom()
      pending.ready = start(pending)
    },
    byHash: (hash) => waiting.get(bytesKey(hash)) ?? waiting.get(sentAs.get(bytesKey(hash)) ?? ''),
    byAccount: (account) => [...(byAccount.get(rawAddress(account)) ?? [])],
    ended: (hash) => ended.get(bytesKey(hash)),
    isOver: (pending) => (pending.included ? clock.monotonic() - pending.included.at > COMPLETED_MS : isLate(pending)),
    isLate,
    all: () => waiting.values(),
    show: (pending, emulated) => {
      if (!isWaiting(pending)) return
      leave(pending)
      pending.view = pendingView(pending.message, emulated)
      pending.root = emulated.transactions[0]
      pending.refusal = emulated.refusal
      pending.doubt = undefined
      pending.emulatedAt = emulated.block.seqno
      enter(pending)
      makeRoom()
    },
    end: (pending, failure) => {
      if (!isWaiting(pending)) return
      remove(pending)
      if (!failure) return
      const { hash, hash_norm } = pending
      for (const name of new Set([bytesKey(hash), bytesKey(hash_norm)])) ended.set(name, { hash, hash_norm, failure })
    },
  }
}
