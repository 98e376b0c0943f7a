import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictLookup } from '../../ton/dictionary.ts'
import { type AugDictChange, updateAugDict } from '../../ton/dictionary-update.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { minLtAug, storeEnqueuedMsg } from '../../ton/tlb/out-msg-queue.ts'

/** A block's own out-queue while it changes. */
export interface OutQueue {
  readonly size: number
  /** Puts a message in. `lt` is what the queue is ordered by. Throws `internal` when the key is taken. */
  add(key: Buffer, lt: bigint, enqueued_lt: bigint, envelope: Cell): void
  /** Takes a message out. Throws `internal` when it is not there. */
  remove(key: Buffer): void
  /** The queue after all changes so far. */
  build(): AugDict<bigint>
}

const KEY_BITS = 352

/** Opens a queue of `size` messages for changes. */
export const outQueue = (before: AugDict<bigint>, size: number): OutQueue => {
  const changes = new Map<string, AugDictChange<bigint>>()
  let built = before
  const wasThere = (key: Buffer): boolean => dictLookup(built.root, KEY_BITS, key) !== null
  let count = size
  return {
    get size() {
      return count
    },
    add: (key, lt, enqueued_lt, out_msg) => {
      const name = key.toString('latin1')
      const change = changes.get(name)
      if (change ? change.store : wasThere(key)) throw new TonlithError('internal', 'a message is queued twice')
      changes.set(name, { key, extra: lt, store: (builder) => storeEnqueuedMsg(builder, { enqueued_lt, out_msg }) })
      count++
    },
    remove: (key) => {
      const name = key.toString('latin1')
      const change = changes.get(name)
      if (change ? !change.store : !wasThere(key)) throw new TonlithError('internal', 'no such message in the queue')
      changes.set(name, { key, store: null })
      count--
    },
    build: () => {
      built = updateAugDict(built, [...changes.values()], KEY_BITS, minLtAug)
      changes.clear()
      return built
    },
  }
}
