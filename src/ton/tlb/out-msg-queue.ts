import { lesser } from '../../common/bigint-order.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, key32, key64 } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
import { buildDict } from '../dictionary-writer.ts'
import type { Slice } from '../slice.ts'
import { type AugDict, loadAugDict, storeAugDict } from './aug-dict.ts'
import { buildCell, expectTag, maybe, parseCell, storeMaybe } from './tag.ts'

/** TL-B OutMsgQueueExtra. */
export interface OutMsgQueueExtra {
  /** dispatchQueues; the augmentation is the lowest created_lt */
  dispatch_queue: AugDict<bigint>
  out_queue_size: number | null
}

/** TL-B OutMsgQueueInfo. Before 2024 an always empty IHR dictionary stood where `extra` is now. */
export interface OutMsgQueueInfo {
  /** outMsgQueue; the augmentation is the lowest enqueued lt */
  out_queue: AugDict<bigint>
  /** HashmapE 96 ProcessedUpto: processedInfo */
  proc_info: Cell | null
  extra: OutMsgQueueExtra | null
}

/** TL-B EnqueuedMsg; `out_msg` is for parseMsgEnvelope. */
export interface EnqueuedMsg {
  enqueued_lt: bigint
  out_msg: Cell
}

/** Key of the out-queue: where the message goes, and the hash of the message. */
export interface OutMsgQueueKey {
  workchain: number
  /** First 64 bits of the next hop's address, unsigned. */
  prefix: bigint
  hash: Buffer
}

/** TL-B ProcessedUpto with its key. */
export interface ProcessedUpto {
  shard: bigint
  mc_seqno: number
  last_msg_lt: bigint
  last_msg_hash: Buffer
}

/** TL-B AccountDispatchQueue; `messages` is the root of HashmapE 64 EnqueuedMsg: dispatchedMessages. */
export interface AccountDispatchQueue {
  messages: Cell | null
  count: number
}

const loadLt = (slice: Slice): bigint => slice.uintBig(64)

/** Augmentation of OutMsgQueue and DispatchQueue: the lowest lt. */
export const minLtAug: Augmentation<bigint> = {
  load: loadLt,
  store: (builder, lt) => builder.uint(lt, 64),
  combine: lesser,
  empty: 0n,
}

const loadExtra = (slice: Slice): OutMsgQueueExtra => {
  expectTag(slice, 4, 0, 'OutMsgQueueExtra')
  return {
    dispatch_queue: loadAugDict(slice, loadLt),
    out_queue_size: maybe(slice, (s) => s.uint(48)),
  }
}

const loadOutMsgQueueInfo = (slice: Slice): OutMsgQueueInfo => ({
  out_queue: loadAugDict(slice, loadLt),
  proc_info: slice.maybeRef(),
  extra: maybe(slice, loadExtra),
})

/** TL-B OutMsgQueueInfo: reads its root cell only. Throws `malformed`. */
export const parseOutMsgQueueInfo = (cell: Cell): OutMsgQueueInfo => parseCell(cell, loadOutMsgQueueInfo)

const storeExtra = (builder: Builder, { dispatch_queue, out_queue_size }: OutMsgQueueExtra): void => {
  storeAugDict(builder.uint(0, 4), dispatch_queue, minLtAug)
  storeMaybe(builder, out_queue_size, (b, size) => b.uint(size, 48))
}

const storeOutMsgQueueInfo = (builder: Builder, { out_queue, proc_info, extra }: OutMsgQueueInfo): void => {
  storeAugDict(builder, out_queue, minLtAug).maybeRef(proc_info)
  storeMaybe(builder, extra, storeExtra)
}

/** TL-B ^OutMsgQueueInfo. */
export const buildOutMsgQueueInfo = (info: OutMsgQueueInfo): Cell => buildCell(storeOutMsgQueueInfo, info)

/** TL-B EnqueuedMsg. */
export const loadEnqueuedMsg = (slice: Slice): EnqueuedMsg => ({ enqueued_lt: loadLt(slice), out_msg: slice.ref() })

/** Writes TL-B EnqueuedMsg. */
export const storeEnqueuedMsg = (builder: Builder, { enqueued_lt, out_msg }: EnqueuedMsg): Builder =>
  builder.uint(enqueued_lt, 64).ref(out_msg)

/** Key of a message in the out-queue's dictionary. */
export const outMsgQueueKey = ({ workchain, prefix, hash }: OutMsgQueueKey): Buffer =>
  Buffer.concat([key32(workchain), key64(prefix), hash])

/** Messages of the out-queue in key order; with `skipPruned` those that a proof shows. Throws `malformed`. */
export function* outMsgQueue(
  out_queue: AugDict<bigint>,
  walk: DictWalk = {},
): Generator<[key: OutMsgQueueKey, message: EnqueuedMsg]> {
  for (const [key, value] of dictEntries(out_queue.root, 352, { ...walk, skipExtra: loadLt })) {
    loadLt(value)
    const at = { workchain: key.readInt32BE(0), prefix: key.readBigUInt64BE(4), hash: key.subarray(12) }
    yield [at, loadEnqueuedMsg(value)]
  }
}

/** Up to where the messages of each shard were processed. `shard` is a signed int64. Throws `malformed`. */
export function* processedInfo(proc_info: Cell | null): Generator<ProcessedUpto> {
  for (const [key, value] of dictEntries(proc_info, 96)) {
    yield {
      shard: key.readBigInt64BE(0),
      mc_seqno: key.readUInt32BE(8),
      last_msg_lt: loadLt(value),
      last_msg_hash: value.bytes(32),
    }
  }
}

/** The root of ProcessedInfo over these entries in any order, null for none. */
export const buildProcessedInfo = (entries: readonly ProcessedUpto[]): Cell | null =>
  buildDict(
    entries.map(({ shard, mc_seqno, last_msg_lt, last_msg_hash }) => ({
      key: Buffer.concat([key64(shard), key32(mc_seqno)]),
      store: (builder) => builder.uint(last_msg_lt, 64).bytes(last_msg_hash),
    })),
    96,
  )

/** TL-B AccountDispatchQueue. */
export const loadAccountDispatchQueue = (slice: Slice): AccountDispatchQueue => ({
  messages: slice.maybeRef(),
  count: slice.uint(48),
})

/** Writes TL-B AccountDispatchQueue. */
export const storeAccountDispatchQueue = (builder: Builder, { messages, count }: AccountDispatchQueue): Builder =>
  builder.maybeRef(messages).uint(count, 48)

/** Dispatch queues by sender, with their lowest created_lt. Throws `malformed`. */
export function* dispatchQueues(
  dispatch_queue: AugDict<bigint>,
  walk: DictWalk = {},
): Generator<[sender: Buffer, queue: AccountDispatchQueue & { min_lt: bigint }]> {
  for (const [sender, value] of dictEntries(dispatch_queue.root, 256, { ...walk, skipExtra: loadLt })) {
    const min_lt = loadLt(value)
    yield [sender, { ...loadAccountDispatchQueue(value), min_lt }]
  }
}

/** Messages of one sender's dispatch queue by created_lt; behind `after` if given. Throws `malformed`. */
export function* dispatchedMessages(
  { messages }: AccountDispatchQueue,
  { after, ...walk }: Omit<DictWalk, 'after'> & { after?: bigint } = {},
): Generator<[created_lt: bigint, message: EnqueuedMsg]> {
  const options = { ...walk, ...(after !== undefined && { after: key64(after) }) }
  for (const [lt, value] of dictEntries(messages, 64, options)) yield [lt.readBigUInt64BE(0), loadEnqueuedMsg(value)]
}
