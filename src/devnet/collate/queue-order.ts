import type { Cell } from '../../ton/cell.ts'
import { divergence, readLabel, setBit } from '../../ton/dictionary-label.ts'
import { beginParse, type Slice } from '../../ton/slice.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import type { EnqueuedMsg } from '../../ton/tlb/out-msg-queue.ts'
import { shardPrefixLength } from '../../ton/tlb/shard-ident.ts'
import { createHeap } from './heap.ts'
import type { ShardId } from './routing.ts'

/** One entry of an out-queue; `lt` is its augmentation. */
export interface QueueEntry {
  key: Buffer
  lt: bigint
  message: EnqueuedMsg
}

/** An opened node of TL-B OutMsgQueue; a leaf has no branches. */
interface Node {
  key: Buffer
  end: number
  lt: bigint
  value: Slice
  branches: readonly [Cell, Cell] | null
}

const KEY_BITS = 352
const KEY_BYTES = 44
const HASH_AT = 12
const WORKCHAIN_BITS = 32

const openNode = (cell: Cell, path: Buffer, from: number): Node => {
  const key = Buffer.from(path)
  const value = beginParse(cell)
  const end = from + readLabel(value, KEY_BITS - from, key, from)
  const branches = end < KEY_BITS ? ([value.ref(), value.ref()] as const) : null
  return { key, end, lt: value.uintBig(64), value, branches }
}

const inOrder = (a: Node, b: Node): number => {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  if (a.branches) return b.branches ? 0 : -1
  return b.branches ? 1 : Buffer.compare(a.key.subarray(HASH_AT), b.key.subarray(HASH_AT))
}

const entryOf = ({ key, lt, value }: Node): QueueEntry => ({
  key,
  lt,
  message: { enqueued_lt: value.uintBig(64), out_msg: value.ref() },
})

/**
 * The messages of several out-queues whose next hop lies in a shard, by lt, then by hash (node: OutputQueueMerger); with
 * the index of the queue that each comes from. Opens only what the order needs. Throws `malformed`.
 */
export function* queuesInOrder(
  queues: readonly AugDict<bigint>[],
  { workchain, shard }: ShardId,
): Generator<[entry: QueueEntry, queue: number]> {
  const prefix = Buffer.alloc(KEY_BYTES)
  prefix.writeInt32BE(workchain, 0)
  prefix.writeBigInt64BE(shard, 4)
  const prefixBits = WORKCHAIN_BITS + shardPrefixLength(shard)
  const heap = createHeap<{ node: Node; queue: number }>((a, b) => inOrder(a.node, b.node))
  const add = (node: Node, queue: number): void => {
    const shared = Math.min(node.end, prefixBits)
    if (divergence(node.key, prefix, 0, shared) === shared) heap.push({ node, queue })
  }
  queues.forEach(({ root }, queue) => {
    if (root) add(openNode(root, Buffer.alloc(KEY_BYTES), 0), queue)
  })
  for (let next = heap.pop(); next; next = heap.pop()) {
    const { node, queue } = next
    if (!node.branches) {
      yield [entryOf(node), queue]
      continue
    }
    node.branches.forEach((cell, bit) => {
      const path = Buffer.from(node.key)
      setBit(path, node.end, bit === 1)
      add(openNode(cell, path, node.end + 1), queue)
    })
  }
}
