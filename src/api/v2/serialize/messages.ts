import type { Message } from '../../../model/message.ts'
import type { Address } from '../../../ton/address.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import { beginExotic, beginParse } from '../../../ton/slice.ts'
import { readSnake } from '../../../ton/snake.ts'
import { accountAddress, addressText, type Neutral } from '../dialect.ts'
import { bytesOf, extraCurrencies } from './scalars.ts'

/** First 32 bits of a body that is a text comment. */
const OP_TEXT = 0
/** First 32 bits of a body that is an encrypted comment. */
const OP_ENCRYPTED_TEXT = 0x2167da4b

interface Comment {
  encrypted: boolean
  /** What follows the op code. */
  bytes: Buffer
}

/** The comment that a body is; undefined for any other body (contracts/v2.md 3.2). */
const commentOf = (body: Cell): Comment | undefined => {
  if (body.exotic || body.bits < 32) return undefined
  const slice = beginParse(body)
  const op = slice.uint(32)
  if (op !== OP_TEXT && op !== OP_ENCRYPTED_TEXT) return undefined
  const bytes = readSnake(slice)
  return bytes && { encrypted: op === OP_ENCRYPTED_TEXT, bytes }
}

const messageData = ({ body, init }: Message, comment: Comment | undefined): Neutral =>
  comment
    ? { '@type': comment.encrypted ? 'msg.dataEncryptedText' : 'msg.dataText', text: comment.bytes }
    : { '@type': 'msg.dataRaw', body: cellToBoc(body), init_state: bytesOf(init) }

/** Base64 of the body's own bits, its last byte filled up with zeros, and a newline; the empty text for no bits. */
const bitsText = (body: Cell): string =>
  body.bits === 0 ? '' : `${beginExotic(body).bits(body.bits).bytes.toString('base64')}\n`

/**
 * The `message` of `ext.message`: a comment's text, where bytes that are no UTF-8 become U+FFFD; nothing for an encrypted
 * comment, since its bytes are no text (contracts/v2.md 3.3, 20 #23); base64 for any other body.
 */
const messageText = (body: Cell, comment: Comment | undefined): string | undefined => {
  if (!comment) return bitsText(body)
  return comment.encrypted ? undefined : comment.bytes.toString('utf8')
}

/** What differs between the two forms of a message. */
interface Form {
  type: string
  address: (address: Address | undefined) => Neutral
  text?: (body: Cell, comment: Comment | undefined) => string | undefined
}

/**
 * `ihr_fee` is always 0: today's nodes have no such fee, and the field's place in the message holds extra flags.
 */
const shownAs = (message: Message, { type, address, text }: Form): Neutral => {
  const comment = commentOf(message.body)
  return {
    '@type': type,
    hash: message.hash,
    source: address(message.source),
    destination: address(message.destination),
    value: String(message.value),
    extra_currencies: extraCurrencies(message.extra_currencies),
    fwd_fee: String(message.fwd_fee),
    ihr_fee: '0',
    created_lt: String(message.created_lt),
    body_hash: message.body.hash(),
    msg_data: messageData(message, comment),
    message: text?.(message.body, comment),
  }
}

const RAW: Form = { type: 'raw.message', address: accountAddress }
const EXT: Form = { type: 'ext.message', address: addressText, text: messageText }

/** `raw.message` (contracts/v2.md 3.1). */
export const rawMessage = (message: Message): Neutral => shownAs(message, RAW)

/** `ext.message` (contracts/v2.md 3.1). */
export const extMessage = (message: Message): Neutral => shownAs(message, EXT)
