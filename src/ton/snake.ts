import { isTonlithError } from '../common/errors.ts'
import { beginCell } from './builder.ts'
import type { Cell } from './cell.ts'
import { beginParse, type Slice } from './slice.ts'

const CELL_BYTES = 127

/** Appends the rest of a slice to `out` from bit `at` on; the bits there must be zero. */
const append = (slice: Slice, out: Buffer, at: number): void => {
  const bits = slice.remainingBits
  const { bytes } = slice.bits(bits)
  const shift = at & 7
  let to = at >> 3
  if (shift === 0) {
    bytes.copy(out, to)
    return
  }
  for (const byte of bytes) {
    out[to]! |= byte >> shift
    if (++to < out.length) out[to] = (byte << (8 - shift)) & 255
  }
}

/**
 * The bytes of a snake: the rest of the slice, then the bits of its first reference, of that one's first reference and so
 * on (node: vm::CellString). Undefined when the bits are no whole bytes or the chain meets an exotic cell.
 */
export const readSnake = (head: Slice): Buffer | undefined => {
  try {
    const parts = [head.clone()]
    let bits = head.remainingBits
    for (let last = head; last.remainingRefs > 0; ) {
      last = beginParse(last.preloadRef())
      parts.push(last)
      bits += last.remainingBits
    }
    if (bits % 8 !== 0) return undefined
    const out = Buffer.alloc(bits / 8)
    let at = 0
    for (const part of parts) {
      const size = part.remainingBits
      append(part, out, at)
      at += size
    }
    return out
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}

/** Bytes as a snake of as few cells as possible, the longer ones first. */
export const snakeCell = (bytes: Buffer): Cell => {
  let tail: Cell | undefined
  for (let at = Math.max(0, Math.ceil(bytes.length / CELL_BYTES) - 1) * CELL_BYTES; at >= 0; at -= CELL_BYTES) {
    const builder = beginCell().bytes(bytes.subarray(at, at + CELL_BYTES))
    tail = (tail ? builder.ref(tail) : builder).endCell()
  }
  return tail!
}
