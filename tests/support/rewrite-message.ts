import type { Cell } from '../../src/ton/cell.ts'
import { buildInMsg, type InMsg, parseInMsg } from '../../src/ton/tlb/in-msg.ts'
import { buildMessage, parseMessage } from '../../src/ton/tlb/message.ts'
import { buildMsgEnvelope, parseMsgEnvelope } from '../../src/ton/tlb/msg-envelope.ts'
import type { OutMsg } from '../../src/ton/tlb/out-msg.ts'
import { parseStateInit, stateInitCell } from '../../src/ton/tlb/state-init.ts'

/** What was read of a message, written again. */
export const rewriteMessage = (cell: Cell): Cell => {
  const message = parseMessage(cell)
  return buildMessage({ ...message, init: message.init && stateInitCell(parseStateInit(message.init)) })
}

export const rewriteEnvelope = (cell: Cell): Cell => {
  const envelope = parseMsgEnvelope(cell)
  return buildMsgEnvelope({ ...envelope, msg: rewriteMessage(envelope.msg) })
}

/** An entry of InMsgDescr with the messages and envelopes in it written again. */
export const rewrittenInMsg = (message: InMsg): InMsg => {
  if ('msg' in message) return { ...message, msg: rewriteMessage(message.msg) }
  const in_msg = rewriteEnvelope(message.in_msg)
  if ('out_msg' in message) return { ...message, in_msg, out_msg: rewriteEnvelope(message.out_msg) }
  return { ...message, in_msg }
}

export const rewriteInMsg = (cell: Cell): Cell => buildInMsg(rewrittenInMsg(parseInMsg(cell)))

/** An entry of OutMsgDescr with the messages, envelopes and imports in it written again. */
export const rewrittenOutMsg = (message: OutMsg): OutMsg => {
  if ('msg' in message) return { ...message, msg: rewriteMessage(message.msg) }
  if (!('out_msg' in message)) return message
  const out_msg = rewriteEnvelope(message.out_msg)
  if ('reimport' in message) return { ...message, out_msg, reimport: rewriteInMsg(message.reimport) }
  if ('imported' in message) return { ...message, out_msg, imported: rewriteInMsg(message.imported) }
  return { ...message, out_msg }
}
