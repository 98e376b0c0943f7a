import { TonlithError } from '../common/errors.ts'
import { type Cell, PRUNED_BRANCH } from './cell.ts'
import { beginParse, type Slice } from './slice.ts'

/** Reads past one augmentation value; plain dictionaries have none. */
export type SkipExtra = (slice: Slice) => void

export interface DictOptions {
  /** Given for HashmapAug: every node carries an augmentation value in front of its own value. */
  skipExtra?: SkipExtra
  /** Pass over branches that a proof pruned instead of throwing. */
  skipPruned?: boolean
}

const MAX_KEY_BITS = 1023

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

const setBit = (key: Buffer, at: number, bit: boolean): void => {
  const mask = 128 >> (at & 7)
  if (bit) key[at >> 3]! |= mask
  else key[at >> 3]! &= ~mask
}

/** Reads an HmLabel of at most `max` bits into `key` at bit `at`; gives its length. */
const readLabel = (slice: Slice, max: number, key: Buffer, at: number): number => {
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

/**
 * Entries of a Hashmap n X (root cell of HashmapE) or HashmapAug n X Y in ascending key order. A key is a Buffer of
 * n bits, left-aligned. With `skipExtra` the value slice still has the augmentation in front. Throws `malformed`.
 */
export function* dictEntries(
  root: Cell | null,
  keyBits: number,
  { skipExtra, skipPruned = false }: DictOptions = {},
): Generator<[key: Buffer, value: Slice]> {
  if (!root) return
  const key = Buffer.alloc((keyBits + 7) >> 3)
  const stack: { cell: Cell; at: number; bit: boolean }[] = [{ cell: root, at: 0, bit: false }]
  while (stack.length > 0) {
    const { cell, at: from, bit } = stack.pop()!
    if (skipPruned && cell.type === PRUNED_BRANCH) continue
    if (from > 0) setBit(key, from - 1, bit)
    const slice = beginParse(cell)
    const at = from + readLabel(slice, keyBits - from, key, from)
    if (at === keyBits) {
      yield [Buffer.from(key), slice]
      continue
    }
    const left = slice.ref()
    const right = slice.ref()
    skipExtra?.(slice)
    stack.push({ cell: right, at: at + 1, bit: true }, { cell: left, at: at + 1, bit: false })
  }
}

/**
 * The value under a key of a Hashmap n X or HashmapAug (root cell, null for an empty one), or null when the dictionary
 * provably does not hold it. Only the path to the key is opened. Throws `malformed`, also where a proof pruned the path.
 */
export const dictLookup = (root: Cell | null, keyBits: number, key: Buffer): Slice | null => {
  if (keyBits > MAX_KEY_BITS || key.length * 8 < keyBits) throw new TonlithError('internal', 'bad dictionary key')
  const label = Buffer.alloc((keyBits + 7) >> 3)
  let cell = root
  let at = 0
  while (cell) {
    const slice = beginParse(cell)
    const n = readLabel(slice, keyBits - at, label, at)
    for (let i = at; i < at + n; i++) if ((label[i >> 3]! ^ key[i >> 3]!) & (128 >> (i & 7))) return null
    at += n
    if (at === keyBits) return slice
    const bit = (key[at >> 3]! >> (7 - (at & 7))) & 1
    setBit(label, at, bit === 1)
    at++
    cell = slice.preloadRef(bit)
  }
  return null
}

/** Key of a dictionary with int32 or uint32 keys. */
export const key32 = (value: number): Buffer => {
  const key = Buffer.allocUnsafe(4)
  key.writeInt32BE(value | 0)
  return key
}

/** Key of a dictionary with 64-bit keys. */
export const key64 = (value: bigint): Buffer => {
  const key = Buffer.allocUnsafe(8)
  key.writeBigUInt64BE(BigInt.asUintN(64, value))
  return key
}
