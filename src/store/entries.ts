import type { BatchMessage } from '../model/batch.ts'
import type { TraceRow } from '../model/trace-changes.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { BlockInfo } from '../ton/tlb/block-info.ts'
import { blockKey, hashKey, hashU64Key, txKey, u32Key, u32u64Key, u64Key } from './keys.ts'
import type { TableName } from './tables.ts'

/**
 * Which index entries a row has: the one place that says so, for the writer, the pruner and the check of the whole.
 */

/** An index entry: its key says it all. */
export type Entry = readonly [table: TableName, key: Buffer]

/** Where a trace stands in traces_by_account while messages are under way. */
export const UNSETTLED_LT = (1n << 64n) - 1n

/** Entries of a block. */
export const blockEntries = (id: BlockIdExt, info: Pick<BlockInfo, 'gen_utime' | 'start_lt'>): Entry[] => {
  const key = blockKey(id)
  return [
    ['blocks_by_utime', u32Key(info.gen_utime, key)],
    ['blocks_by_start_lt', u64Key(info.start_lt, key)],
    ['blocks_by_hash', hashKey(id.root_hash, key)],
    ['blocks_by_hash', hashKey(id.file_hash, key)],
  ]
}

/** What the entries of a transaction are made of. */
export interface TransactionFacts {
  key: Buffer
  /** Interned address. */
  account: number
  hash: Buffer
  lt: bigint
  now: number
  in_msg: Pick<BatchMessage, 'opcode' | 'body_hash'> | null
}

/** Entries of a transaction, without those of its messages and its trace. */
export const transactionEntries = ({ key, account, hash, lt, now, in_msg }: TransactionFacts): Entry[] => {
  const entries: Entry[] = [
    ['tx_by_hash', hashKey(hash, key)],
    ['tx_by_account', u32u64Key(account, lt, key)],
    ['tx_by_lt', u64Key(lt, key)],
    ['tx_by_now', u32u64Key(now, lt, key)],
  ]
  if (in_msg) entries.push(['tx_by_body', hashU64Key(in_msg.body_hash, lt, key)])
  if (in_msg && in_msg.opcode !== null) entries.push(['tx_by_opcode', u32u64Key(in_msg.opcode, lt, key)])
  return entries
}

/** Entries that both sides of a message have: by its hashes. */
export const messageHashEntries = (key: Buffer, { hash, hash_norm }: BatchMessage): Entry[] => {
  const entries: Entry[] = [['msg_by_hash', hashKey(hash, key)]]
  if (hash_norm && hash_norm.compare(hash, 0, 8, 0, 8) !== 0) entries.push(['msg_by_hash', hashKey(hash_norm, key)])
  return entries
}

/** What the entries of a message are made of, beside the message. */
export interface MessageFacts {
  key: Buffer
  source: number
  destination: number
  /** lt and time of its transaction, for a message that has none of its own. */
  lt: bigint
  now: number
}

/**
 * Entries that one side of a message has: the transaction that sent it, or the one that took it while the sender is not
 * stored.
 */
export const messageEntries = (message: BatchMessage, facts: MessageFacts): Entry[] => {
  const { key, source, destination } = facts
  const lt = message.created_lt ?? facts.lt
  const entries: Entry[] = [
    ['msg_by_source', u32u64Key(source, lt, key)],
    ['msg_by_destination', u32u64Key(destination, lt, key)],
    ['msg_by_body', hashU64Key(message.body_hash, lt, key)],
    ['msg_by_lt', u64Key(lt, key)],
    ['msg_by_created_at', u32u64Key(message.created_at ?? facts.now, lt, key)],
  ]
  if (message.opcode !== null) entries.push(['msg_by_opcode', u32u64Key(message.opcode, lt, key)])
  return entries
}

/** Entries of a trace, without those of its transactions and accounts. */
export const traceEntries = (trace: TraceRow): Entry[] => {
  const root = txKey(trace.root)
  return [
    ['traces_by_end_lt', u64Key(trace.end_lt, root)],
    ['traces_by_end_utime', u32u64Key(trace.end_utime, trace.end_lt, root)],
    ['traces_by_mc', u32Key(trace.mc_seqno_end, root)],
  ]
}

/** Entry of a trace in the feed of one of its accounts (an interned address). */
export const traceAccountEntry = (trace: TraceRow, account: number): Entry => [
  'traces_by_account',
  u32u64Key(account, feedLt(trace), txKey(trace.root)),
]

/** Where a trace stands in the feeds of its accounts. */
const feedLt = (trace: TraceRow): bigint => (trace.pending_edges > 0 ? UNSETTLED_LT : trace.end_lt)
