import { TonlithError } from '../../common/errors.ts'
import { shardHex } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { cutAugDict, mergeAugDicts } from '../../ton/dictionary-split.ts'
import { updateAugDict } from '../../ton/dictionary-update.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { addCurrencies, type CurrencyCollection } from '../../ton/tlb/currency.ts'
import {
  minLtAug,
  outMsgQueue,
  outMsgQueueKey,
  type ProcessedUpto,
  parseOutMsgQueueInfo,
  processedInfo,
} from '../../ton/tlb/out-msg-queue.ts'
import { shardChild, shardOf, shardParent, shardPrefixLength } from '../../ton/tlb/shard-ident.ts'
import {
  type DepthBalanceInfo,
  depthBalanceAug,
  parseShardAccounts,
  parseShardStateTotals,
  parseShardStateUnsplit,
} from '../../ton/tlb/shard-state.ts'
import type { BlockSource } from './collation.ts'
import { laterLt } from './lt.ts'
import { compacted, splitProcessed } from './processed-upto.ts'
import { queuedMessage } from './queued-message.ts'
import { type ShardId, shardHolds } from './routing.ts'

/** The state that a new block starts from: its predecessor's, half of it after a split, two of them after a merge. */
export interface PreviousState {
  shard: ShardId
  seqno: number
  vert_seq_no: number
  gen_utime: number
  gen_lt: bigint
  accounts: AugDict<DepthBalanceInfo>
  out_queue: AugDict<bigint>
  /** Null where the state does not tell. */
  out_queue_size: number | null
  processed: readonly ProcessedUpto[]
  dispatch_queue: AugDict<bigint>
  overload_history: bigint
  underload_history: bigint
  total_balance: CurrencyCollection
  total_validator_fees: CurrencyCollection
  /** parseMcStateExtra; null outside of the masterchain. */
  custom: Cell | null
  libraries: Cell | null
}

const ACCOUNT_BITS = 256
const QUEUE_BITS = 352

/** Opens the state that a block or zerostate leaves. Throws `malformed`. */
export const openState = (state: Cell): PreviousState => {
  const { shard_id, seq_no, out_msg_queue_info, accounts, totals, ...rest } = parseShardStateUnsplit(state)
  const queues = parseOutMsgQueueInfo(out_msg_queue_info)
  return {
    ...rest,
    ...parseShardStateTotals(totals),
    shard: { workchain: shard_id.workchain_id, shard: shardOf(shard_id) },
    seqno: seq_no,
    accounts: parseShardAccounts(accounts),
    out_queue: queues.out_queue,
    out_queue_size: queues.extra?.out_queue_size ?? null,
    processed: [...processedInfo(queues.proc_info)],
    dispatch_queue: queues.extra?.dispatch_queue ?? { root: null, extra: 0n },
  }
}

/** The prefix of a shard as the start of a key. */
export const prefixBytes = ({ shard }: ShardId): Buffer => {
  const prefix = Buffer.alloc(32)
  prefix.writeBigInt64BE(shard, 0)
  return prefix
}

/** The messages of an out-queue whose present address lies in a shard: what it keeps at its split. */
export const splitQueue = (queue: AugDict<bigint>, shard: ShardId): { queue: AugDict<bigint>; size: number } => {
  const gone: { key: Buffer; store: null }[] = []
  let size = 0
  for (const [, message] of outMsgQueue(queue)) {
    const { cur, next, hash } = queuedMessage(message)
    if (shardHolds(shard, cur)) size++
    else gone.push({ key: outMsgQueueKey({ ...next, hash }), store: null })
  }
  return { queue: updateAugDict(queue, gone, QUEUE_BITS, minLtAug), size }
}

const half = (whole: PreviousState, shard: ShardId): PreviousState => {
  const prefix = prefixBytes(shard)
  const bits = shardPrefixLength(shard.shard)
  const accounts = cutAugDict(whole.accounts, prefix, bits, ACCOUNT_BITS, depthBalanceAug)
  const { queue, size } = splitQueue(whole.out_queue, shard)
  const right = shardChild(whole.shard.shard, true) === shard.shard
  const fees = whole.total_validator_fees
  return {
    ...whole,
    shard,
    accounts,
    out_queue: queue,
    out_queue_size: size,
    processed: splitProcessed(whole.processed, shard.shard),
    dispatch_queue: cutAugDict(whole.dispatch_queue, prefix, bits, ACCOUNT_BITS, minLtAug),
    overload_history: 0n,
    underload_history: 0n,
    total_balance: accounts.extra.balance,
    total_validator_fees: { ...fees, grams: (fees.grams + (right ? 1n : 0n)) >> 1n },
  }
}

const both = (left: PreviousState, right: PreviousState, shard: ShardId): PreviousState => ({
  ...left,
  shard,
  seqno: Math.max(left.seqno, right.seqno),
  vert_seq_no: Math.max(left.vert_seq_no, right.vert_seq_no),
  gen_utime: Math.max(left.gen_utime, right.gen_utime),
  gen_lt: laterLt(left.gen_lt, right.gen_lt),
  accounts: mergeAugDicts(left.accounts, right.accounts, ACCOUNT_BITS, depthBalanceAug),
  out_queue: mergeAugDicts(left.out_queue, right.out_queue, QUEUE_BITS, minLtAug),
  out_queue_size:
    left.out_queue_size === null || right.out_queue_size === null ? null : left.out_queue_size + right.out_queue_size,
  processed: compacted([...left.processed, ...right.processed]),
  dispatch_queue: mergeAugDicts(left.dispatch_queue, right.dispatch_queue, ACCOUNT_BITS, minLtAug),
  overload_history: 0n,
  underload_history: 0n,
  total_balance: addCurrencies(left.total_balance, right.total_balance),
  total_validator_fees: addCurrencies(left.total_validator_fees, right.total_validator_fees),
})

/** How a new block follows its predecessors. */
export type Succession = 'plain' | 'after_split' | 'after_merge'

/** Tells from the predecessors' ids how a block of this shard follows them. Throws `invalid` when it cannot. */
export const succession = (prev: readonly BlockSource[], { workchain, shard }: ShardId): Succession => {
  const [first, second, ...more] = prev.map(({ id }) => id)
  const ours = first?.workchain === workchain && (!second || second.workchain === workchain) && more.length === 0
  if (ours && first) {
    if (second) {
      if (first.shard === shardChild(shard, false) && second.shard === shardChild(shard, true)) return 'after_merge'
    } else if (first.shard === shard) return 'plain'
    else if (shardPrefixLength(shard) > 0 && first.shard === shardParent(shard)) return 'after_split'
  }
  throw new TonlithError('invalid', `no block of shard ${shardHex(shard)} follows these`)
}

/** The state that the next block of a shard starts from. Throws `invalid`, `malformed`. */
export const previousState = (prev: readonly BlockSource[], shard: ShardId): PreviousState => {
  const how = succession(prev, shard)
  const [left, right] = prev.map(({ state }) => openState(state))
  if (how === 'after_merge') return both(left!, right!, shard)
  return how === 'after_split' ? half(left!, shard) : left!
}
