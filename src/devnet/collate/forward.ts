import type { Steps } from '../../common/steps.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { type IntMsgInfo, parseMessageInfo } from '../../ton/tlb/message.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { buildMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import { outMsgQueueKey } from '../../ton/tlb/out-msg-queue.ts'
import { DEFER_MESSAGES } from './capabilities.ts'
import { carried, importFees } from './descriptors.ts'
import { accountQueue } from './dispatch-queue.ts'
import { type Draft, idKey } from './draft.ts'
import { ARRIVED, envelopeOf, NOT_SENT } from './envelope.ts'
import { checkFull, hasNoTurn } from './fullness.ts'
import { noteProcessed } from './inbound.ts'
import { hasCapability } from './master-config.ts'
import type { NewMessage } from './new-messages.ts'
import { deferMessage, queueMessage, recordIn, recordOut } from './recorded.ts'
import { interpolate, prefixOf, route, shardHolds } from './routing.ts'
import { runInternal } from './run-message.ts'
import { mustWait } from './waiting.ts'

/** A queue in which no sender may have more than the first message of a transaction, where messages are deferred. */
const LONG_QUEUE = 2048

type MadeMessage = NewMessage & { from: { _: 'transaction' } }
type ReleasedMessage = NewMessage & { from: { _: 'dispatch_queue' } }

const isReleased = (fresh: NewMessage): fresh is ReleasedMessage => fresh.from._ === 'dispatch_queue'

const senderOf = ({ src }: IntMsgInfo): Buffer => accountOf(src)!.hash

/** Queues a message that this block made: for its next hop, or in the dispatch queue of its sender. */
const enqueue = (
  draft: Draft,
  { lt, message, metadata, from }: MadeMessage,
  info: IntMsgInfo,
  defer: boolean,
): void => {
  const [source, destination] = [prefixOf(info.src), prefixOf(info.dest)]
  const way = route(source, destination, draft.shard)
  const envelope = envelopeOf(message, defer ? NOT_SENT : way, info.fwd_fee, metadata)
  const out_msg = buildMsgEnvelope(envelope)
  const hash = message.hash()
  recordOut(
    draft,
    hash,
    { _: defer ? 'msg_export_new_defer' : 'msg_export_new', out_msg, transaction: from.transaction },
    carried(info, info.fwd_fee),
  )
  if (defer) deferMessage(draft, senderOf(info), lt, out_msg)
  else queueMessage(draft, outMsgQueueKey({ ...interpolate(source, destination, way.next), hash }), lt, lt, out_msg)
}

/** Queues a message that was let out of a dispatch queue for its next hop. */
const enqueueReleased = (draft: Draft, { lt, message, from }: ReleasedMessage, info: IntMsgInfo): void => {
  const [source, destination] = [prefixOf(info.src), prefixOf(info.dest)]
  const way = route(source, destination, draft.shard)
  const { fwd_fee_remaining, metadata } = from.envelope
  const out_msg = buildMsgEnvelope(envelopeOf(message, way, fwd_fee_remaining, metadata, lt))
  const hash = message.hash()
  const extra = carried(info, fwd_fee_remaining)
  const imported = recordIn(
    draft,
    hash,
    { _: 'msg_import_deferred_tr', in_msg: from.cell, out_msg },
    importFees(0n, extra),
  )
  recordOut(draft, hash, { _: 'msg_export_deferred_tr', out_msg, imported }, extra)
  queueMessage(draft, outMsgQueueKey({ ...interpolate(source, destination, way.next), hash }), lt, lt, out_msg)
}

/** Runs a message of this block whose destination lies in this shard. */
const deliver = (draft: Draft, fresh: NewMessage, info: IntMsgInfo): void => {
  const { lt, message, metadata } = fresh
  const hash = message.hash()
  noteProcessed(draft, lt, hash)
  const transaction = runInternal(draft, { message, dest: info.dest, metadata, after_lt: lt })
  if (isReleased(fresh)) {
    const { envelope, cell } = fresh.from
    const fwd_fee = envelope.fwd_fee_remaining
    const extra = importFees(fwd_fee, carried(info, fwd_fee))
    recordIn(draft, hash, { _: 'msg_import_deferred_fin', in_msg: cell, transaction, fwd_fee }, extra)
    return
  }
  const in_msg = buildMsgEnvelope(envelopeOf(message, ARRIVED, info.fwd_fee, metadata))
  const entry = { _: 'msg_import_imm', in_msg, transaction, fwd_fee: info.fwd_fee } as const
  const reimport = recordIn(draft, hash, entry, importFees(info.fwd_fee))
  const made = (fresh as MadeMessage).from.transaction
  recordOut(draft, hash, { _: 'msg_export_imm', out_msg: in_msg, transaction: made, reimport }, NO_CURRENCY)
}

/** True when a message that this block made has to wait in the dispatch queue of its sender. */
const mustDefer = (draft: Draft, fresh: NewMessage, sender: Buffer, special: boolean): boolean => {
  if (fresh.from._ !== 'transaction') return false
  const key = idKey(sender)
  const limit = draft.input.choices?.defer_messages_after
  if (!special && fresh.from.index > 0 && hasCapability(draft.master, DEFER_MESSAGES)) {
    const sent = (draft.sent.get(key) ?? 0) + 1
    draft.sent.set(key, sent)
    if (limit !== undefined && (sent >= limit || draft.queue.size > LONG_QUEUE)) return true
  }
  return accountQueue(draft.dispatch_queue, sender).count > 0 || draft.released.has(key)
}

const release = (draft: Draft, sender: Buffer): void => {
  const key = idKey(sender)
  const left = (draft.released.get(key) ?? 0) - 1
  if (left > 0) draft.released.set(key, left)
  else draft.released.delete(key)
}

const recordExternal = (draft: Draft, { message, from }: NewMessage): void => {
  if (from._ !== 'transaction') return
  const { transaction } = from
  recordOut(draft, message.hash(), { _: 'msg_export_ext', msg: message, transaction }, NO_CURRENCY)
}

/** Sends one new message on, and tells whether it was run; `queueOnly` when none is to be run any more. */
export const forwardMessage = (
  draft: Draft,
  fresh: NewMessage,
  queueOnly: boolean,
  isSpecial: (id: Buffer) => boolean,
): boolean => {
  const info = parseMessageInfo(fresh.message)
  if (info._ !== 'int_msg_info') {
    recordExternal(draft, fresh)
    return false
  }
  const sender = senderOf(info)
  const defer = mustDefer(draft, fresh, sender, draft.shard.workchain === MASTERCHAIN && isSpecial(sender))
  if (isReleased(fresh)) release(draft, sender)
  const here = shardHolds(draft.shard, prefixOf(info.dest))
  if (here && !queueOnly && !defer) {
    deliver(draft, fresh, info)
    return true
  }
  if (isReleased(fresh)) enqueueReleased(draft, fresh, info)
  else enqueue(draft, fresh as MadeMessage, info, defer)
  return false
}

/** True for a message to an account of this shard that is still on its way. */
const isAwaited = (draft: Draft, { message }: NewMessage): boolean => {
  const info = parseMessageInfo(message)
  return info._ === 'int_msg_info' && shardHolds(draft.shard, prefixOf(info.dest)) && mustWait(draft, info.dest)
}

/**
 * Sends all new messages on, by lt and hash (node: Collator::process_new_messages): those to this shard are run at once,
 * unless the block is full, or messages wait that come first; the others are queued.
 */
export function* forwardMessages(
  draft: Draft,
  queueOnly: boolean,
  isSpecial: (id: Buffer) => boolean = () => false,
): Steps<void> {
  for (let only = queueOnly; draft.fresh.size > 0; ) {
    const fresh = draft.fresh.pop()!
    draft.load.addWaiting(-1)
    only ||= draft.full || hasNoTurn(draft) || draft.dispatch_left || isAwaited(draft, fresh)
    const ran = forwardMessage(draft, fresh, only, isSpecial)
    if (ran) checkFull(draft)
    yield
  }
}
