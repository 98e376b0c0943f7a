import type { Cell } from '../ton/cell.ts'
import { normalizedMessageHash } from '../ton/message-hash.ts'
import { beginParse } from '../ton/slice.ts'
import { type CommonMsgInfo, parseMessage, parseMessageInfo } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'
import { outMsgs, parseTransaction, type Transaction } from '../ton/tlb/transaction.ts'
import type { BatchMessage, BatchTransaction, MessageKind } from './batch.ts'

const KINDS: Record<CommonMsgInfo['_'], MessageKind> = {
  int_msg_info: 'internal',
  ext_in_msg_info: 'ext_in',
  ext_out_msg_info: 'ext_out',
}

const OPCODE_BITS = 32

/** First 32 bits of a message's body as uint32; null for a shorter or exotic body. */
export const opcodeOf = (body: Cell): number | null => {
  if (body.exotic) return null
  const slice = beginParse(body)
  return slice.remainingBits < OPCODE_BITS ? null : slice.uint(OPCODE_BITS)
}

/** An opcode as answers show it: 0x and eight digits. */
export const opcodeText = (opcode: number): string => `0x${opcode.toString(16).padStart(8, '0')}`

/** TEP-467 hash of an external message that came in, where it differs from the hash of its cell; else null. */
export const otherNormOf = (cell: Cell): Buffer | null => {
  const norm = normalizedMessageHash(cell)
  return norm.equals(cell.hash()) ? null : norm
}

/** What the head of a message tells: far cheaper than its hash and what is made of its body. */
export type MessageHead = Omit<BatchMessage, 'hash' | 'hash_norm' | 'opcode' | 'body_hash' | 'body'>

/** The head of a message of which the info is parsed. */
export const headOf = (info: CommonMsgInfo): MessageHead => {
  const fromOutside = info._ === 'ext_in_msg_info'
  return {
    kind: KINDS[info._],
    source: accountOf(info.src),
    destination: accountOf(info.dest),
    created_lt: fromOutside ? null : info.created_lt,
    created_at: fromOutside ? null : info.created_at,
  }
}

/** Reads the head of a message's cell (TL-B Message Any). Throws `malformed`. */
export const readMessageHead = (cell: Cell): MessageHead => headOf(parseMessageInfo(cell))

/** Reads from a message's cell (TL-B Message Any) what the index needs of it. Throws `malformed`. */
export const readBatchMessage = (cell: Cell): BatchMessage => {
  const { info, body } = parseMessage(cell)
  return {
    ...headOf(info),
    hash: cell.hash(),
    hash_norm: info._ === 'ext_in_msg_info' ? otherNormOf(cell) : null,
    opcode: opcodeOf(body),
    body_hash: body.hash(),
    body,
  }
}

const createdLt = (cell: Cell): bigint => {
  const info = parseMessageInfo(cell)
  return info._ === 'ext_in_msg_info' ? 0n : info.created_lt
}

/**
 * The messages of a transaction's cell (TL-B Transaction) in the order in which the index counts them: the one that came
 * in, and those that it sent, ascending by created_lt. Throws `malformed`.
 */
export const messageCells = (transaction: Cell): { in_msg: Cell | null; out_msgs: Cell[] } =>
  messageCellsOf(parseTransaction(transaction))

/** As messageCells, of a transaction that is parsed. */
export const messageCellsOf = (
  transaction: Pick<Transaction, 'in_msg' | 'out_msgs'>,
): { in_msg: Cell | null; out_msgs: Cell[] } => {
  const cells = Array.from(outMsgs(transaction))
  if (cells.length < 2) return { in_msg: transaction.in_msg, out_msgs: cells }
  const sent = cells.map((cell) => ({ cell, lt: createdLt(cell) }))
  const ascending = sent.every(({ lt }, i) => i === 0 || sent[i - 1]!.lt <= lt)
  if (!ascending) sent.sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0))
  return { in_msg: transaction.in_msg, out_msgs: sent.map(({ cell }) => cell) }
}

const byCreatedLt = (a: BatchMessage, b: BatchMessage): number => {
  const [x, y] = [a.created_lt ?? 0n, b.created_lt ?? 0n]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The messages of a parsed transaction in the order of messageCells, read. Throws `malformed`. */
export const readTransactionMessages = (
  transaction: Pick<Transaction, 'in_msg' | 'out_msgs'>,
): Pick<BatchTransaction, 'in_msg' | 'out_msgs'> => ({
  in_msg: transaction.in_msg && readBatchMessage(transaction.in_msg),
  out_msgs: Array.from(outMsgs(transaction), readBatchMessage).sort(byCreatedLt),
})

/** As messageCells, read. */
export const readBatchMessages = (transaction: Cell): { in_msg: BatchMessage | null; out_msgs: BatchMessage[] } => {
  const { in_msg, out_msgs } = messageCells(transaction)
  return { in_msg: in_msg && readBatchMessage(in_msg), out_msgs: out_msgs.map(readBatchMessage) }
}
