import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { readSnake } from '../ton/snake.ts'

const OPCODE_BITS = 32
/** Bytes of a comment that are read: one cell can stand in a chain many times. */
const MAX_BYTES = 1 << 16

const utf8 = new TextDecoder()

/**
 * The comment in a message's body: opcode 0, then text as a snake. Null for any other body and for one that is too long.
 * Bytes that are no UTF-8 become U+FFFD.
 */
export const textComment = (body: Cell): string | null => {
  if (body.exotic || body.bits < OPCODE_BITS) return null
  const slice = beginParse(body)
  if (slice.uint(OPCODE_BITS) !== 0) return null
  const bytes = readSnake(slice)
  return bytes === undefined || bytes.length > MAX_BYTES ? null : utf8.decode(bytes)
}
