import { isUtf8 } from 'node:buffer'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { readSnake } from '../ton/snake.ts'

const OPCODE_BITS = 32
const TEXT = 0
const ENCRYPTED_TEXT = 0x2167da4b
/** Bytes of a comment that are read: one cell can stand in a chain many times. */
const MAX_BYTES = 1 << 16

/** A comment in a body or payload; an encrypted one in base64. */
export interface Comment {
  text: string
  encrypted: boolean
}

/** Bytes of a character in UTF-8 that begins with this byte; 1 for a byte that begins none. */
const lengthAt = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1)

/** Text with bytes that are no UTF-8 written as `\xff`, without zeros. */
const escaped = (bytes: Buffer): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const character = bytes.subarray(at, at + lengthAt(bytes[at]!))
    const fits = isUtf8(character)
    text += fits ? character.toString('utf8') : `\\x${bytes[at]!.toString(16).padStart(2, '0')}`
    at += fits ? character.length : 1
  }
  return text
}

/**
 * The comment in a message's body or in a payload: opcode 0 and text, or the opcode of encrypted text and bytes, as a
 * snake. Undefined for any other body, for one that is too long, and for bits that are no whole bytes.
 */
export const readComment = (body: Cell): Comment | undefined => {
  if (body.exotic || body.bits < OPCODE_BITS) return undefined
  const slice = beginParse(body)
  const opcode = slice.uint(OPCODE_BITS)
  if (opcode !== TEXT && opcode !== ENCRYPTED_TEXT) return undefined
  const bytes = readSnake(slice)
  if (!bytes || bytes.length > MAX_BYTES) return undefined
  if (opcode === ENCRYPTED_TEXT) return { text: bytes.toString('base64'), encrypted: true }
  const text = isUtf8(bytes) ? bytes.toString('utf8') : escaped(bytes)
  return { text: text.replaceAll('\0', ''), encrypted: false }
}
