import { TonlithError } from '../common/errors.ts'
import type { Builder } from './builder.ts'
import type { Slice } from './slice.ts'

const STORED_BITS = 32

/** One bit of a key that holds its bits left-aligned. */
export const bitAt = (key: Buffer, at: number): number => (key[at >> 3]! >> (7 - (at & 7))) & 1

/** Writes one bit of a key. */
export const setBit = (key: Buffer, at: number, bit: boolean): void => {
  const mask = 128 >> (at & 7)
  if (bit) key[at >> 3]! |= mask
  else key[at >> 3]! &= ~mask
}

/** First bit from `at` on in which the two keys differ, `end` when none does. */
export const divergence = (a: Buffer, b: Buffer, at: number, end: number): number => {
  for (let i = at; i < end; i = (i | 7) + 1) {
    const difference = (a[i >> 3]! ^ b[i >> 3]!) & (255 >> (i & 7))
    if (difference !== 0) return Math.min(end, (i & ~7) + Math.clz32(difference) - 24)
  }
  return end
}

/** Copies `n` bits of the slice into `key` from bit `at` on. */
const copyBits = (slice: Slice, n: number, key: Buffer, at: number): void => {
  for (let left = n, pos = at; left > 0; ) {
    const room = 8 - (pos & 7)
    const take = Math.min(room, left)
    const mask = ((1 << take) - 1) << (room - take)
    key[pos >> 3] = (key[pos >> 3]! & ~mask) | (slice.uint(take) << (room - take))
    pos += take
    left -= take
  }
}

/** Reads an HmLabel of at most `max` bits into `key` at bit `at`; gives its length. Throws `malformed`. */
export const readLabel = (slice: Slice, max: number, key: Buffer, at: number): number => {
  if (!slice.bit()) {
    const n = slice.sameBits(true)
    if (n > max) throw new TonlithError('malformed', 'dictionary label too long')
    slice.skip(n + 1)
    copyBits(slice, n, key, at)
    return n
  }
  const lengthBits = 32 - Math.clz32(max)
  if (!slice.bit()) {
    const n = slice.uint(lengthBits)
    if (n > max) throw new TonlithError('malformed', 'dictionary label too long')
    copyBits(slice, n, key, at)
    return n
  }
  const bit = slice.bit()
  const n = slice.uint(lengthBits)
  if (n > max) throw new TonlithError('malformed', 'dictionary label too long')
  for (let i = 0; i < n; i++) setBit(key, at + i, bit)
  return n
}

const storeBits = (builder: Builder, key: Buffer, from: number, to: number): void => {
  for (let at = from; at < to; ) {
    const room = 8 - (at & 7)
    if (room === 8 && to - at >= STORED_BITS) {
      builder.uint(key.readUInt32BE(at >> 3), STORED_BITS)
      at += STORED_BITS
      continue
    }
    const n = Math.min(room, to - at)
    builder.uint((key[at >> 3]! >> (room - n)) & ((1 << n) - 1), n)
    at += n
  }
}

const isUniform = (key: Buffer, from: number, to: number): boolean => {
  for (let at = from + 1; at < to; at++) if (bitAt(key, at) !== bitAt(key, from)) return false
  return to > from
}

/** TL-B HmLabel in the form that the node chooses: one repeated bit where that is shorter, else the shorter of the two others. */
export const storeLabel = (builder: Builder, key: Buffer, from: number, to: number, max: number): void => {
  const length = to - from
  const lengthBits = 32 - Math.clz32(max)
  if (length > 1 && lengthBits < 2 * length - 1 && isUniform(key, from, to)) {
    builder
      .uint(0b11, 2)
      .bit(bitAt(key, from) === 1)
      .uint(length, lengthBits)
    return
  }
  if (lengthBits < length) builder.uint(0b10, 2).uint(length, lengthBits)
  else {
    builder.bit(false)
    for (let i = 0; i < length; i++) builder.bit(true)
    builder.bit(false)
  }
  storeBits(builder, key, from, to)
}
