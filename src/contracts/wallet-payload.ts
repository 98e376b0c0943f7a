import { isTonlithError } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { type MessageRelaxed, parseMessageRelaxed } from '../ton/tlb/message-relaxed.ts'
import { decodeBody } from './body.ts'

/** A message that a wallet was asked to send. */
export interface IntendedMessage extends MessageRelaxed {
  /** Hash of the message's cell as the wallet would have sent it out: before the node fills it in. */
  hash: Buffer
}

const SEND_MESSAGE = 0x0ec3c86d
const MAX_ACTIONS = 255

/** TL-B OutList n: its messages in the order of their execution; actions of other kinds are left out. */
export const listedMessages = (list: Cell): Cell[] => {
  const messages: Cell[] = []
  let link = beginParse(list)
  for (let i = 0; i < MAX_ACTIONS && link.remainingRefs > 0; i++) {
    const previous = link.ref()
    if (link.uint(32) === SEND_MESSAGE) messages.push(link.ref())
    link = beginParse(previous)
  }
  return messages.reverse()
}

/** The cells of the messages, by what the body is (schemes/wallets.tlb). */
const messageCells = (body: Cell): Cell[] => {
  switch (decodeBody(body)?.['@type']) {
    case 'wallet_signed_v3':
    case 'wallet_signed_v4':
      return Array.from({ length: body.refCount }, (_, i) => body.ref(i))
    case 'w5_external_signed_request':
      return body.refCount === 0 ? [] : listedMessages(body.ref(0))
    default:
      return []
  }
}

/** Undefined for a message that is none. */
export const readIntended = (cell: Cell): IntendedMessage | undefined => {
  try {
    return { ...parseMessageRelaxed(cell), hash: cell.hash() }
  } catch (error) {
    if (isTonlithError(error)) return undefined
    throw error
  }
}

/**
 * What a wallet (v3, v4, v5r1) is asked to send by the body of a message from outside, in its order; nothing for any other
 * body. What makes no message is left out.
 */
export const intendedMessages = (body: Cell): IntendedMessage[] => {
  try {
    return messageCells(body).flatMap((cell) => readIntended(cell) ?? [])
  } catch (error) {
    if (isTonlithError(error)) return []
    throw error
  }
}
