import { TonlithError } from '../../common/errors.ts'
import type { Steps } from '../../common/steps.ts'
import { NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { buildMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import { outMsgQueueKey } from '../../ton/tlb/out-msg-queue.ts'
import { carried, importFees } from './descriptors.ts'
import type { Draft } from './draft.ts'
import { envelopeOf } from './envelope.ts'
import { checkFull } from './fullness.ts'
import { alreadyProcessed } from './processed-upto.ts'
import { queuesInOrder } from './queue-order.ts'
import { type QueuedMessage, queuedMessage } from './queued-message.ts'
import { queueMessage, recordIn, recordOut, unqueueMessage } from './recorded.ts'
import { interpolate, route, shardHolds } from './routing.ts'
import { runInternal } from './run-message.ts'
import { mustWait } from './waiting.ts'

const FRACTION_BITS = 16n

/** Notes that the message was taken: what comes behind it in the order of all queues was not. */
export const noteProcessed = (draft: Draft, lt: bigint, hash: Buffer): void => {
  const last = draft.last_processed
  if (last && (last.lt > lt || (last.lt === lt && Buffer.compare(last.hash, hash) >= 0)))
    throw new TonlithError('internal', 'messages were taken out of their order')
  draft.last_processed = { lt, hash }
}

/** Sends a message on whose destination is farther away. */
const passOn = (draft: Draft, message: QueuedMessage): void => {
  const { envelope, envelope_cell, info, next, destination, hash, lt, cur } = message
  const way = route(next, destination, draft.shard)
  const { fwd_fee_remaining, metadata, emitted_lt, msg } = envelope
  const transit_fee = (fwd_fee_remaining * BigInt(draft.master.forward_prices.next_frac)) >> FRACTION_BITS
  const left = fwd_fee_remaining - transit_fee
  const out_msg = buildMsgEnvelope(envelopeOf(msg, way, left, metadata, emitted_lt))
  const imported = recordIn(
    draft,
    hash,
    { _: 'msg_import_tr', in_msg: envelope_cell, out_msg, transit_fee },
    importFees(transit_fee, carried(info, fwd_fee_remaining)),
  )
  const requeued = shardHolds(draft.shard, cur)
  if (requeued) unqueueMessage(draft, outMsgQueueKey({ ...next, hash }))
  recordOut(
    draft,
    hash,
    { _: requeued ? 'msg_export_tr_req' : 'msg_export_tr', out_msg, imported },
    carried(info, left),
  )
  queueMessage(
    draft,
    outMsgQueueKey({ ...interpolate(next, destination, way.next), hash }),
    lt,
    draft.start_lt,
    out_msg,
  )
}

/** Runs a message whose destination lies in this shard. */
const arrive = (draft: Draft, message: QueuedMessage): void => {
  const { envelope, envelope_cell, info, next, hash, cur } = message
  const { msg, metadata, fwd_fee_remaining } = envelope
  const own = shardHolds(draft.shard, cur)
  if (own) draft.load.knowTree(envelope_cell)
  const transaction = runInternal(draft, { message: msg, dest: info.dest, metadata, after_lt: 0n })
  const reimport = recordIn(
    draft,
    hash,
    { _: 'msg_import_fin', in_msg: envelope_cell, transaction, fwd_fee: fwd_fee_remaining },
    importFees(fwd_fee_remaining, carried(info, fwd_fee_remaining)),
  )
  if (!own) return
  recordOut(draft, hash, { _: 'msg_export_deq_imm', out_msg: envelope_cell, reimport }, NO_CURRENCY)
  unqueueMessage(draft, outMsgQueueKey({ ...next, hash }))
}

const take = (draft: Draft, message: QueuedMessage): void => {
  noteProcessed(draft, message.lt, message.hash)
  if (alreadyProcessed(draft.shard, draft.previous.processed, message, draft.endLt)) return
  if (shardHolds(draft.shard, message.destination)) arrive(draft, message)
  else passOn(draft, message)
}

/** True for a message whose account is still on its way. */
const waits = (draft: Draft, message: QueuedMessage): boolean =>
  shardHolds(draft.shard, message.destination) &&
  !alreadyProcessed(draft.shard, draft.previous.processed, message, draft.endLt) &&
  mustWait(draft, message.info.dest)

/**
 * Takes the messages that the neighbours have for this shard, by lt and hash, as long as the block is not full (node:
 * Collator::process_inbound_internal_messages) and none comes whose account is on its way: what is behind that waits with
 * it, as messages are taken in their order only.
 */
export function* importMessages(draft: Draft): Steps<void> {
  const queues = draft.neighbours.map(({ queue }) => queue)
  for (const [entry] of queuesInOrder(queues, draft.shard)) {
    const message = queuedMessage(entry.message)
    if (draft.dispatch_left || checkFull(draft)) return
    if (waits(draft, message)) return
    take(draft, message)
    yield
  }
  draft.inbound_done = true
}
