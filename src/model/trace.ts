import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { ComputeSkipReason } from '../ton/tlb/transaction-phases.ts'
import type { AccountStatus } from './account.ts'
import type { MessageKind } from './batch.ts'
import type { ExtraCurrency } from './extra-currency.ts'

/** A message as the classifier sees it. Amounts are nano-units, and 0 where the kind of message has none. */
export interface TraceMessage {
  kind: MessageKind
  /** Hash of the message's cell. */
  hash: Buffer
  /** Null for external and empty addresses. */
  source: Address | null
  destination: Address | null
  value: bigint
  extra_currencies: ExtraCurrency[]
  /** False for messages that cross the border of the chain. */
  bounce: boolean
  bounced: boolean
  /** Null for an external message that came in. */
  created_lt: bigint | null
  /** Seconds; null for an external message that came in. */
  created_at: number | null
  /** First 32 bits of the body as uint32; null for a shorter body. */
  opcode: number | null
  body: Cell
  /** TL-B StateInit in a cell of its own, or null. */
  init: Cell | null
}

/** A transaction as the classifier sees it: made of a stored cell, of an emulation's result or of a recording. */
export interface TraceTransaction {
  account: Address
  hash: Buffer
  lt: bigint
  /** Seconds. */
  now: number
  /** The constructor of TL-B TransactionDescr, shortened: `ord`, `tick_tock`, … */
  descr: 'ord' | 'tick_tock' | 'storage' | 'split_prepare' | 'split_install' | 'merge_prepare' | 'merge_install'
  orig_status: AccountStatus
  end_status: AccountStatus
  aborted: boolean
  /** Null where the compute phase ran, and where there is none. */
  skipped: ComputeSkipReason | null
  /** Exit code of the compute phase; null where it did not run. */
  exit_code: number | null
  in_msg: TraceMessage | null
  out_msgs: TraceMessage[]
}

/** The transactions of a trace in any order, the root among them. */
export interface Trace {
  /** Hash of the root transaction. */
  trace_id: Buffer
  transactions: readonly TraceTransaction[]
}

/** Traces with more transactions are not classified (contracts/v3.md 14). */
export const MAX_CLASSIFIED = 4000
