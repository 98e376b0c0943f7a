import type {
  AccountRecord,
  ActionFilter,
  ActionRecord,
  BlockFilter,
  BlockRecord,
  Listed,
  MessageDirection,
  MessageFilter,
  MessageRecord,
  Page,
  SeqnoRange,
  StateRecord,
  TraceFilter,
  TraceRecord,
  TransactionFilter,
  TransactionRecord,
  TransactionsByMessageFilter,
} from '../../model/index-records.ts'
import type { PaymentCursor } from '../../model/payments.ts'
import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { PaymentsBehind } from '../payment-rows.ts'
import type { EntityReader } from './entity-reader.ts'
import type { IndexPages } from './index-pages.ts'

/**
 * Reads the index. Every call is synchronous and sees one consistent snapshot; calls of one turn of the event loop
 * see the same one. Work is bounded: a filter that would look at more rows than that throws `limit`. A cursor that
 * does not fit the filter throws `invalid`, a row that cannot be read `malformed`.
 */
export interface IndexReader extends EntityReader {
  /** Runs `read` on the newest snapshot: all calls in it see the same state of the index. */
  snapshot<T>(read: () => T): T
  /** The last masterchain seqno that is indexed without a gap above the newest range's begin; undefined when empty. */
  seqno(): number | undefined
  /** Indexed masterchain seqnos, ascending, with a gap between any two. */
  ranges(): SeqnoRange[]
  /** True when the masterchain block is indexed. */
  covers(mc_seqno: number): boolean
  /** True when only chosen accounts are indexed, and the other side of their messages. */
  isOfChosen(): boolean

  /** Order: gen_utime (start_lt where only lt is filtered), then workchain, shard, seqno, all in the order of `sort`. */
  blocks(filter: BlockFilter, page: Page): Listed<BlockRecord>
  /** Newest block of each shard as the masterchain block names them, and that block itself; those that are stored. */
  shardState(mc_seqno: number): BlockRecord[]
  /** Lowest and highest masterchain block. */
  masterchainEnds(): { first: BlockRecord; last: BlockRecord } | undefined

  /**
   * Order: lt (with a time filter: now, then lt) by `sort`, then workchain and account ascending; with `hashes`: the
   * hash by `sort`; with `lt`: account by `sort`.
   */
  transactions(filter: TransactionFilter, page: Page): Listed<TransactionRecord>
  /** Order as of transactions. Each transaction once. */
  transactionsByMessage(filter: TransactionsByMessageFilter, page: Page): Listed<TransactionRecord>
  /**
   * Parent (`in`) and children (`out`) of a transaction, or both, ascending by lt; undefined when it is not stored.
   */
  adjacent(hash: Buffer, direction: MessageDirection | undefined): TransactionRecord[] | undefined
  /**
   * Order: created_lt by `sort`; with a time filter and none on address, opcode or body: created_at, then created_lt.
   * Externals that came in stand at the lt and time of the transaction that took them.
   */
  messages(filter: MessageFilter, page: Page): Listed<MessageRecord>

  /**
   * The cell of a message that a transaction took (`n` 0) or sent (from 1 on, by lt), where its hash leads there;
   * undefined otherwise. Costs the same however many transactions have a message of this hash.
   */
  messageOf(transaction_hash: Buffer, message_hash: Buffer, n: number): Cell | undefined

  /** Latest states; addresses that are not indexed are left out. In the order of `addresses`, each once. */
  accountStates(addresses: readonly Address[]): AccountRecord[]
  /** An account's state by the hash of its Account cell, at any block. */
  stateByHash(hash: Buffer): StateRecord | undefined
  /** BoC of a code by its hash. */
  codeOf(code_hash: Buffer): Buffer | undefined
  /** BoC of the data of the latest state; undefined where there is none or its cells were never seen. */
  dataOf(address: Address): Buffer | undefined
  /** Balance descending, then workchain and account ascending. */
  topAccounts(page: Pick<Page, 'limit' | 'offset' | 'after'>): Listed<{ address: Address; balance: bigint }>

  /** Order: end_lt (with a time filter: end_utime, then end_lt) by `sort`, then the root's place by `sort`. */
  traces(filter: TraceFilter, page: Page): Listed<TraceRecord>
  /** Its transactions by lt, then workchain and account: at most `max`, read as they are asked for. */
  traceTransactions(trace: TraceRecord, max: number): Generator<TransactionRecord>

  /**
   * Order: the trace's end_lt (with a time filter and none on account: its end_utime, then end_lt), its root's
   * place, the action's end_lt, its id, all by `sort`. Limit, offset and cursor count actions. Which of them fit is what
   * was noted when the trace was stored; what they are is found by classifying its transactions: one whose id does not
   * come out of that any more is to be left out.
   */
  actions(filter: ActionFilter, page: Page): Listed<ActionRecord>

  /** Payments of transfers behind a cursor, in the order in which they were found; all of them where it leads to another index. */
  payments(cursor: PaymentCursor | undefined, limit: number): PaymentsBehind

  readonly pages: IndexPages
}
