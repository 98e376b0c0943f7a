import { shardContains } from '../../ton/block-id.ts'
import type { ProcessedUpto } from '../../ton/tlb/out-msg-queue.ts'
import { shardPrefixLength } from '../../ton/tlb/shard-ident.ts'
import { type AddressPrefix, type ShardId, shardHolds } from './routing.ts'

/** What decides whether a queued message was taken by its next shard. */
export interface Delivery {
  cur: AddressPrefix
  next: AddressPrefix
  lt: bigint
  hash: Buffer
  enqueued_lt: bigint
}

/** End lt of the block of the shard around this address that a masterchain block (by seqno) names; 0 for none. */
export type ShardEndLt = (mc_seqno: number, address: AddressPrefix) => bigint

/** Every bit set: all messages of this lt. */
export const LAST_HASH = Buffer.alloc(32, 255)

/** True when `inner` is `outer` or one of the shards that it can split into. */
export const isAncestor = (outer: bigint, inner: bigint): boolean =>
  shardPrefixLength(outer) <= shardPrefixLength(inner) && shardContains(outer, inner)

/** True when two shards of one workchain have accounts in common. */
export const shardsMeet = (a: bigint, b: bigint): boolean => isAncestor(a, b) || isAncestor(b, a)

const isBehind = (a: Pick<ProcessedUpto, 'last_msg_lt' | 'last_msg_hash'>, lt: bigint, hash: Buffer): boolean =>
  a.last_msg_lt > lt || (a.last_msg_lt === lt && Buffer.compare(a.last_msg_hash, hash) >= 0)

const contains = (a: ProcessedUpto, b: ProcessedUpto): boolean =>
  isAncestor(a.shard, b.shard) && a.mc_seqno >= b.mc_seqno && isBehind(a, b.last_msg_lt, b.last_msg_hash)

/** The entries that no other one contains. */
export const compacted = (list: readonly ProcessedUpto[]): ProcessedUpto[] => {
  const kept: ProcessedUpto[] = []
  list.forEach((entry, i) => {
    const inside = list.some((other, j) => contains(other, entry) && (j > i || (j < i && kept.includes(other))))
    if (!inside) kept.push(entry)
  })
  return kept
}

/** The list with one more entry, where it says more than the others. */
export const withProcessed = (list: readonly ProcessedUpto[], entry: ProcessedUpto): ProcessedUpto[] =>
  list.some((other) => contains(other, entry)) ? [...list] : compacted([...list, entry])

/** What a half of a split shard knows. */
export const splitProcessed = (list: readonly ProcessedUpto[], shard: bigint): ProcessedUpto[] =>
  compacted(
    list
      .filter((entry) => shardsMeet(entry.shard, shard))
      .map((entry) => ({ ...entry, shard: isAncestor(entry.shard, shard) ? shard : entry.shard })),
  )

const tookBy = (entry: ProcessedUpto, message: Delivery, endLt: ShardEndLt): boolean => {
  if (!isBehind(entry, message.lt, message.hash)) return false
  if (!shardContains(entry.shard, message.next.prefix)) return false
  if (message.cur.workchain === message.next.workchain && shardContains(entry.shard, message.cur.prefix)) return true
  return message.enqueued_lt < endLt(entry.mc_seqno, message.cur)
}

/** True when the shard with this processed info has taken the message (node: MsgProcessedUptoCollection::already_processed). */
export const alreadyProcessed = (
  owner: ShardId,
  list: readonly ProcessedUpto[],
  message: Delivery,
  endLt: ShardEndLt,
): boolean => shardHolds(owner, message.next) && list.some((entry) => tookBy(entry, message, endLt))
