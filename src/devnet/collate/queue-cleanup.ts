import type { Steps } from '../../common/steps.ts'
import { NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { outMsgQueue, outMsgQueueKey } from '../../ton/tlb/out-msg-queue.ts'
import { SHORT_DEQUEUE } from './capabilities.ts'
import type { Draft } from './draft.ts'
import { checkFull } from './fullness.ts'
import { hasCapability } from './master-config.ts'
import type { Neighbour } from './neighbours.ts'
import { alreadyProcessed } from './processed-upto.ts'
import { queuesInOrder } from './queue-order.ts'
import { type QueuedMessage, queuedMessage } from './queued-message.ts'
import { countQueue, recordOut, unqueueMessage } from './recorded.ts'

const isTakenBy = (draft: Draft, { shard, processed }: Neighbour, message: QueuedMessage): boolean =>
  alreadyProcessed(shard, processed, message, draft.endLt)

const dequeue = (draft: Draft, message: QueuedMessage, import_block_lt: bigint): void => {
  const { next, hash, envelope_cell } = message
  unqueueMessage(draft, outMsgQueueKey({ ...next, hash }))
  const entry = hasCapability(draft.master, SHORT_DEQUEUE)
    ? ({
        _: 'msg_export_deq_short',
        msg_env_hash: envelope_cell.hash(),
        next_workchain: next.workchain,
        next_addr_pfx: next.prefix,
        import_block_lt,
      } as const)
    : ({ _: 'msg_export_deq', out_msg: envelope_cell, import_block_lt } as const)
  recordOut(draft, hash, entry, NO_CURRENCY)
  checkFull(draft)
}

/** After a merge the whole queue is looked through: which part of it was whose nobody can tell by the order. */
function* cleanWhole(draft: Draft): Steps<void> {
  for (const [, entry] of outMsgQueue(draft.previous.out_queue)) {
    const message = queuedMessage(entry)
    const by = draft.neighbours.find((neighbour) => isTakenBy(draft, neighbour, message))
    if (by) dequeue(draft, message, by.end_lt)
    yield
  }
}

/** Messages to a neighbour are taken in their order, so that the first one that it has not ends the search. */
function* cleanFor(draft: Draft, neighbour: Neighbour): Steps<void> {
  for (const [entry] of queuesInOrder([draft.previous.out_queue], neighbour.shard)) {
    const message = queuedMessage(entry.message)
    if (draft.full || !isTakenBy(draft, neighbour, message)) return
    dequeue(draft, message, neighbour.end_lt)
    yield
  }
}

/** Takes the messages out of the own queue that a neighbour has taken (node: Collator::out_msg_queue_cleanup). */
export function* cleanQueue(draft: Draft): Steps<void> {
  if (draft.succession === 'after_merge') yield* cleanWhole(draft)
  else for (const neighbour of draft.neighbours) yield* cleanFor(draft, neighbour)
  countQueue(draft)
}
