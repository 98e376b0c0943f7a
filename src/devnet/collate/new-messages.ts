import type { Cell } from '../../ton/cell.ts'
import type { MsgEnvelope, MsgMetadata } from '../../ton/tlb/msg-envelope.ts'
import { createHeap, type Heap } from './heap.ts'

/** A message that this block made or let out of a dispatch queue, and that has to go on. */
export interface NewMessage {
  lt: bigint
  message: Cell
  metadata: MsgMetadata | null
  /** The transaction that made it, and its number among the messages of that transaction; or the envelope it waited in. */
  from:
    | { _: 'transaction'; transaction: Cell; index: number }
    | { _: 'dispatch_queue'; envelope: MsgEnvelope; cell: Cell }
}

/** New messages in the order in which they go on: by lt, then by hash. */
export const newMessages = (): Heap<NewMessage> =>
  createHeap((a, b) => (a.lt === b.lt ? Buffer.compare(a.message.hash(), b.message.hash()) : a.lt < b.lt ? -1 : 1))
