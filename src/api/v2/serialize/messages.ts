import type { ByteWriter } from '../../../common/byte-writer.ts'
import type { Message } from '../../../model/message.ts'
import type { Cell } from '../../../ton/cell.ts'
import { beginExotic, beginParse } from '../../../ton/slice.ts'
import { readSnake } from '../../../ton/snake.ts'
import type { Dialect } from '../dialect.ts'
import { writeAccountAddress, writeAddress, writeBag, writeExtraCurrencies } from './json.ts'

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

const writeMessageData = (out: ByteWriter, { body, init }: Message, comment: Comment | undefined): void => {
  if (comment) {
    const type = comment.encrypted ? 'msg.dataEncryptedText' : 'msg.dataText'
    out.ascii('{"@type":"').ascii(type).ascii('","text":"').base64(comment.bytes).ascii('"}')
    return
  }
  out.ascii('{"@type":"msg.dataRaw","body":"')
  writeBag(out, body)
  out.ascii('","init_state":"')
  writeBag(out, init)
  out.ascii('"}')
}

/**
 * The `message` of `ext.message`: a comment's text, where bytes that are no UTF-8 become U+FFFD; nothing for an encrypted
 * comment, since its bytes are no text (contracts/v2.md 3.3, 20 #23); for any other body base64 of its own bits, the last
 * byte filled up with zeros, and a newline; the empty text for no bits.
 */
const writeMessageText = (out: ByteWriter, body: Cell, comment: Comment | undefined): void => {
  if (comment) {
    if (!comment.encrypted) out.ascii(',"message":').text(JSON.stringify(comment.bytes.toString('utf8')))
  } else if (body.bits === 0) out.ascii(',"message":""')
  else out.ascii(',"message":"').base64(beginExotic(body).bits(body.bits).bytes).ascii('\\n"')
}

/** Writes the JSON text of a message in one of its two forms. */
export type WriteMessage = (out: ByteWriter, message: Message, dialect: Dialect) => void

/**
 * What both forms have behind their addresses. `ihr_fee` is always 0: today's nodes have no such fee, and the field's place
 * in the message holds extra flags.
 */
const writeFields = (out: ByteWriter, message: Message, comment: Comment | undefined): void => {
  out.ascii(',"value":"').ascii(`${message.value}`).ascii('","extra_currencies":')
  writeExtraCurrencies(out, message.extra_currencies)
  out.ascii(',"fwd_fee":"').ascii(`${message.fwd_fee}`).ascii('","ihr_fee":"0","created_lt":"')
  out.ascii(`${message.created_lt}`).ascii('","body_hash":"').base64(message.body.hash()).ascii('","msg_data":')
  writeMessageData(out, message, comment)
}

/** `raw.message` (contracts/v2.md 3.1). */
export const writeRawMessage: WriteMessage = (out, message, dialect) => {
  out.ascii('{"@type":"raw.message","hash":"').base64(message.hash).ascii('","source":')
  writeAccountAddress(out, dialect, message.source)
  out.ascii(',"destination":')
  writeAccountAddress(out, dialect, message.destination)
  writeFields(out, message, commentOf(message.body))
  out.ascii('}')
}

/** `ext.message` (contracts/v2.md 3.1). */
export const writeExtMessage: WriteMessage = (out, message, dialect) => {
  const comment = commentOf(message.body)
  out.ascii('{"@type":"ext.message","hash":"').base64(message.hash).ascii('","source":"')
  writeAddress(out, dialect, message.source)
  out.ascii('","destination":"')
  writeAddress(out, dialect, message.destination)
  out.ascii('"')
  writeFields(out, message, comment)
  writeMessageText(out, message.body, comment)
  out.ascii('}')
}
