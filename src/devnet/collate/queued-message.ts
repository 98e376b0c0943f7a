import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import { type IntMsgInfo, parseMessageInfo } from '../../ton/tlb/message.ts'
import { type MsgEnvelope, parseMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import type { EnqueuedMsg } from '../../ton/tlb/out-msg-queue.ts'
import type { Delivery } from './processed-upto.ts'
import { type AddressPrefix, destinationBits, interpolate, prefixOf } from './routing.ts'

/** A message that waits in an out-queue or a dispatch queue, with the way that it takes. */
export interface QueuedMessage extends Delivery {
  envelope_cell: Cell
  envelope: MsgEnvelope
  info: IntMsgInfo
  destination: AddressPrefix
}

/** CommonMsgInfo of an internal message. Throws `malformed` for another one. */
export const internalInfo = (message: Cell): IntMsgInfo => {
  const info = parseMessageInfo(message)
  if (info._ !== 'int_msg_info') throw new TonlithError('malformed', 'a queue holds a message that is not internal')
  return info
}

/** Opens what a queue holds. Throws `malformed`. */
export const queuedMessage = ({ enqueued_lt, out_msg }: EnqueuedMsg): QueuedMessage => {
  const envelope = parseMsgEnvelope(out_msg)
  const info = internalInfo(envelope.msg)
  const source = prefixOf(info.src)
  const destination = prefixOf(info.dest)
  return {
    envelope_cell: out_msg,
    envelope,
    info,
    destination,
    cur: interpolate(source, destination, destinationBits(envelope.cur_addr)),
    next: interpolate(source, destination, destinationBits(envelope.next_addr)),
    lt: envelope.emitted_lt ?? info.created_lt,
    hash: envelope.msg.hash(),
    enqueued_lt,
  }
}
