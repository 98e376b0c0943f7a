import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { BlockInfo } from '../ton/tlb/block-info.ts'
import type { AccountStatus } from './account.ts'
import type { TraceRow } from './trace-changes.ts'
import type { TransactionId } from './transaction-id.ts'

export type SortOrder = 'asc' | 'desc'

/** Which part of a list is asked for. */
export interface Page {
  /** At least 1. */
  limit: number
  /** Records left out at the front (behind `after`, where both are given). */
  offset: number
  sort: SortOrder
  /** `next` of the page before, asked with the same filter and order. */
  after?: Buffer | undefined
}

/** One page of a list. */
export interface Listed<T> {
  records: T[]
  /** Where the next page begins: `Page.after`; null when the list ends here. */
  next: Buffer | null
}

export type MessageDirection = 'in' | 'out'

/** Every given field must hold; times (seconds) and lt are inclusive; `shard` is a signed int64. */
export interface BlockFilter {
  workchain?: number | undefined
  shard?: bigint | undefined
  seqno?: number | undefined
  root_hash?: Buffer | undefined
  file_hash?: Buffer | undefined
  /** The masterchain block that commits it. */
  mc_seqno?: number | undefined
  /** On gen_utime. */
  start_utime?: number | undefined
  end_utime?: number | undefined
  /** On start_lt. */
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

/** A stored block. */
export interface BlockRecord {
  id: BlockIdExt
  /** The masterchain block that commits it; its own seqno for a masterchain block. */
  mc_seqno: number
  global_id: number
  tx_count: number
  rand_seed: Buffer
  created_by: Buffer
  info: BlockInfo
}

/** Every given field must hold; an empty list is as if not given; times (seconds) and lt are inclusive. */
export interface TransactionFilter {
  /** The block that holds it: workchain, signed shard, seqno. */
  workchain?: number | undefined
  shard?: bigint | undefined
  seqno?: number | undefined
  mc_seqno?: number | undefined
  /** Any of them. */
  accounts?: readonly Address[] | undefined
  /** None of them. */
  exclude_accounts?: readonly Address[] | undefined
  /** Any of them. */
  hashes?: readonly Buffer[] | undefined
  lt?: bigint | undefined
  start_utime?: number | undefined
  end_utime?: number | undefined
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

/** A stored transaction. */
export interface TransactionRecord {
  account: Address
  id: TransactionId
  now: number
  block: { workchain: number; shard: bigint; seqno: number }
  mc_seqno: number
  /** Hash of the root transaction of its trace. */
  trace_id: Buffer
  cell: Cell
}

/** Every given field must hold; at least one of `msg_hashes`, `body_hash`, `opcode` is needed. */
export interface TransactionsByMessageFilter {
  /** Any of them; hash or normalised hash. */
  msg_hashes?: readonly Buffer[] | undefined
  body_hash?: Buffer | undefined
  /** uint32; looks at the message that came in. */
  opcode?: number | undefined
  /** The side of the message that the transaction is on; both when not given. */
  direction?: MessageDirection | undefined
  source?: Address | null | undefined
  destination?: Address | null | undefined
}

/** Every given field must hold; times (seconds) and lt are inclusive. */
export interface MessageFilter {
  /** Any of them; hash or normalised hash. */
  hashes?: readonly Buffer[] | undefined
  body_hash?: Buffer | undefined
  /** Null: messages from outside. */
  source?: Address | null | undefined
  /** Null: messages to the outside. */
  destination?: Address | null | undefined
  /** uint32 */
  opcode?: number | undefined
  /** On created_at; an external message that came in has the time of the transaction that took it. */
  start_utime?: number | undefined
  end_utime?: number | undefined
  /** On created_lt; an external message that came in has the lt of the transaction that took it. */
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
  /** Only messages that a stored transaction took (`in`) or sent (`out`). */
  direction?: MessageDirection | undefined
  /** Without (or only) messages that came in from outside. */
  exclude_externals?: boolean | undefined
  only_externals?: boolean | undefined
}

/** A stored message. With a filter on the direction, only that side's transaction is named. */
export interface MessageRecord {
  /** TL-B Message Any. */
  cell: Cell
  /** Hash of the transaction that took it. */
  in_tx: Buffer | null
  /** Hash of the transaction that sent it. */
  out_tx: Buffer | null
  /** The masterchain block of the transaction by which it is listed. */
  mc_seqno: number
}

/** What a state of an account tells without its code and data. */
export interface StateRecord {
  /** Hash of the Account's cell (TL-B Account). */
  state_hash: Buffer
  status: AccountStatus
  /** Nano-units. */
  balance: bigint
  /** Ascending by currency id. */
  extra_currencies: [id: number, amount: bigint][]
  frozen_hash: Buffer | null
  code_hash: Buffer | null
  data_hash: Buffer | null
}

/** The latest stored state of an account. */
export interface AccountRecord extends StateRecord {
  address: Address
  last_transaction: TransactionId
  /** The masterchain block that committed it. */
  mc_seqno: number
}

/** Every given field must hold; times (seconds) and lt are inclusive and compare with the trace's end. */
export interface TraceFilter {
  account?: Address | undefined
  /** Any of them. */
  trace_ids?: readonly Buffer[] | undefined
  /** Traces with any of these transactions. */
  tx_hashes?: readonly Buffer[] | undefined
  /** Traces with any of these messages; hash or normalised hash. */
  msg_hashes?: readonly Buffer[] | undefined
  /** Complete traces whose last transaction is in that masterchain block. */
  mc_seqno?: number | undefined
  start_utime?: number | undefined
  end_utime?: number | undefined
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

export type TraceRecord = TraceRow

/**
 * Every given field must hold; an empty list is as if not given; times (seconds) and lt are inclusive. Only actions of
 * complete traces are told of, in an index of chosen accounts those of all its traces.
 */
export interface ActionFilter extends TraceFilter {
  /** One of the accounts in whose feed it stands. */
  account?: TraceFilter['account']
  /** Any of them. */
  action_ids?: readonly Buffer[] | undefined
  /** With any of these transactions. */
  tx_hashes?: TraceFilter['tx_hashes']
  /** With the transaction of any of these messages; hash or normalised hash. */
  msg_hashes?: TraceFilter['msg_hashes']
  /** Any of these types, known to the client or not. */
  types?: readonly string[] | undefined
  /** None of these types. */
  exclude_types?: readonly string[] | undefined
  /**
   * The types that the client knows: it is told of actions of these, unless they are parts of such that it knows too; all
   * of them, where not given.
   */
  supported?: ReadonlySet<string> | undefined
}

/** An action that is found; what it is tells the classifier, of the transactions of its trace. */
export interface ActionRecord {
  trace: TraceRecord
  /** The first 8 bytes of its id. */
  id: Buffer
}

/** Masterchain blocks `first` to `last`, all of them. */
export interface SeqnoRange {
  first: number
  last: number
}
