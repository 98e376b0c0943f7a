import { TonlithError } from '../../common/errors.ts'
import type { Builder } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictEntries, dictLookup, key64 } from '../../ton/dictionary.ts'
import { openBranch, openNode } from '../../ton/dictionary-node.ts'
import { updateAugDict, updateDict } from '../../ton/dictionary-update.ts'
import type { Slice } from '../../ton/slice.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import {
  type AccountDispatchQueue,
  type EnqueuedMsg,
  minLtAug,
  storeAccountDispatchQueue,
  storeEnqueuedMsg,
} from '../../ton/tlb/out-msg-queue.ts'

const ACCOUNT_BITS = 256
const LT_BITS = 64
const SHAPE = { keyBits: ACCOUNT_BITS, aug: minLtAug }

const loadQueue = (slice: Slice): AccountDispatchQueue => ({ messages: slice.maybeRef(), count: slice.uint(48) })

/** The dispatch queue of one sender; an empty one when it has none. */
export const accountQueue = (all: AugDict<bigint>, sender: Buffer): AccountDispatchQueue => {
  const value = dictLookup(all.root, ACCOUNT_BITS, sender)
  if (!value) return { messages: null, count: 0 }
  minLtAug.load(value)
  return loadQueue(value)
}

/** The oldest message of a sender. Throws `internal` for an empty queue. */
export const oldestMessage = ({ messages }: AccountDispatchQueue): { lt: bigint; message: EnqueuedMsg } => {
  for (const [key, value] of dictEntries(messages, LT_BITS))
    return { lt: key.readBigUInt64BE(0), message: { enqueued_lt: value.uintBig(64), out_msg: value.ref() } }
  throw new TonlithError('internal', 'an empty dispatch queue')
}

const withQueue = (all: AugDict<bigint>, sender: Buffer, messages: Cell | null, count: number): AugDict<bigint> => {
  const change = messages
    ? {
        key: sender,
        extra: oldestMessage({ messages, count }).lt,
        store: (builder: Builder) => storeAccountDispatchQueue(builder, { messages, count }),
      }
    : { key: sender, store: null }
  return updateAugDict(all, [change], ACCOUNT_BITS, minLtAug)
}

/** Puts a message (its envelope) of this created lt behind the others of its sender. */
export const withMessage = (all: AugDict<bigint>, sender: Buffer, lt: bigint, envelope: Cell): AugDict<bigint> => {
  const { messages, count } = accountQueue(all, sender)
  const store = (builder: Builder) => storeEnqueuedMsg(builder, { enqueued_lt: lt, out_msg: envelope })
  return withQueue(all, sender, updateDict(messages, [{ key: key64(lt), store }], LT_BITS), count + 1)
}

/** Takes the message of this created lt out of its sender's queue. */
export const withoutMessage = (all: AugDict<bigint>, sender: Buffer, lt: bigint): AugDict<bigint> => {
  const { messages, count } = accountQueue(all, sender)
  return withQueue(all, sender, updateDict(messages, [{ key: key64(lt), store: null }], LT_BITS), count - 1)
}

/** Takes the whole queue of a sender out. */
export const withoutSender = (all: AugDict<bigint>, sender: Buffer): AugDict<bigint> => withQueue(all, sender, null, 0)

/** The sender whose oldest message is the oldest of all, or null when nothing waits. Throws `malformed`. */
export const oldestSender = ({ root }: AugDict<bigint>): Buffer | null => {
  if (!root) return null
  let node = openNode(root, Buffer.alloc(32), 0, SHAPE)
  while (node.branches) {
    const left = openBranch(node, 0, SHAPE)
    node = left.extra() === node.extra() ? left : openBranch(node, 1, SHAPE)
  }
  return node.key
}
