import type { Message } from '../../../model/message.ts'
import type { Cell } from '../../../ton/cell.ts'
import { beginExotic, beginParse } from '../../../ton/slice.ts'
import { readSnake } from '../../../ton/snake.ts'
import { addressIn, type Dialect } from '../dialect.ts'
import { accountAddressJson, bagJson, bytesJson, extraCurrenciesJson } from './json.ts'

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

const messageData = ({ body, init }: Message, comment: Comment | undefined): string => {
  if (!comment) return `{"@type":"msg.dataRaw","body":${bagJson(body)},"init_state":${bagJson(init)}}`
  const type = comment.encrypted ? 'msg.dataEncryptedText' : 'msg.dataText'
  return `{"@type":"${type}","text":${bytesJson(comment.bytes)}}`
}

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

/** The JSON text of a message in one of its two forms. */
export type MessageJson = (message: Message, dialect: Dialect) => string

/**
 * What both forms have behind their type. `ihr_fee` is always 0: today's nodes have no such fee, and the field's place in the
 * message holds extra flags.
 */
const fieldsJson = (message: Message, comment: Comment | undefined, source: string, destination: string): string =>
  `"hash":${bytesJson(message.hash)},"source":${source},"destination":${destination},"value":"${message.value}"` +
  `,"extra_currencies":${extraCurrenciesJson(message.extra_currencies)},"fwd_fee":"${message.fwd_fee}","ihr_fee":"0"` +
  `,"created_lt":"${message.created_lt}","body_hash":${bytesJson(message.body.hash())}` +
  `,"msg_data":${messageData(message, comment)}`

/** `raw.message` (contracts/v2.md 3.1). */
export const rawMessageJson: MessageJson = (message, dialect) => {
  const source = accountAddressJson(dialect, message.source)
  const destination = accountAddressJson(dialect, message.destination)
  return `{"@type":"raw.message",${fieldsJson(message, commentOf(message.body), source, destination)}}`
}

/** `ext.message` (contracts/v2.md 3.1). */
export const extMessageJson: MessageJson = (message, dialect) => {
  const comment = commentOf(message.body)
  const [source, destination] = [addressIn(dialect, message.source), addressIn(dialect, message.destination)]
  const text = messageText(message.body, comment)
  const shown = text === undefined ? '' : `,"message":${JSON.stringify(text)}`
  return `{"@type":"ext.message",${fieldsJson(message, comment, `"${source}"`, `"${destination}"`)}${shown}}`
}
