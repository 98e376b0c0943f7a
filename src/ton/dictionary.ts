import { TonlithError } from '../common/errors.ts'
import { type Cell, PRUNED_BRANCH } from './cell.ts'
import { readLabel, setBit } from './dictionary-label.ts'
import { beginParse, Slice } from './slice.ts'

/** Reads past one augmentation value; plain dictionaries have none. */
export type SkipExtra = (slice: Slice) => void

/** Which entries to walk over, and in which order. */
export interface DictWalk {
  /** Pass over branches that a proof pruned instead of throwing. */
  skipPruned?: boolean
  /** Descending instead of ascending key order. */
  reverse?: boolean
  /** Give only keys behind this one in the order of the walk. Branches before it are not opened. */
  after?: Buffer
  /** Give the key `after` itself too. */
  inclusive?: boolean
}

export interface DictOptions extends DictWalk {
  /** Given for HashmapAug: every node carries an augmentation value in front of its own value. */
  skipExtra?: SkipExtra
}

const MAX_KEY_BITS = 1023
const MAX_LISTED = 65_536

/** Order of two keys in the bits from `at` to `end`: negative, zero or positive. */
const compareBits = (a: Buffer, b: Buffer, at: number, end: number): number => {
  for (let i = at; i < end; i++) {
    const mask = 128 >> (i & 7)
    const difference = (a[i >> 3]! & mask) - (b[i >> 3]! & mask)
    if (difference !== 0) return difference
  }
  return 0
}

interface Step {
  node: Cell | Slice
  at: number
  bit: boolean
  /** The path so far equals the key `after`, so that its next bits still decide. */
  bound: boolean
}

/**
 * Entries of a Hashmap n X (root cell of HashmapE, or a slice where the root stands in line) or HashmapAug n X Y in
 * ascending key order. A key is a Buffer of n bits, left-aligned. With `skipExtra` the value slice still has the
 * augmentation in front. Throws `malformed`.
 */
export function* dictEntries(
  root: Cell | Slice | null,
  keyBits: number,
  { skipExtra, skipPruned = false, reverse = false, after, inclusive = false }: DictOptions = {},
): Generator<[key: Buffer, value: Slice]> {
  if (!root) return
  const key = Buffer.alloc((keyBits + 7) >> 3)
  const stack: Step[] = [{ node: root, at: 0, bit: false, bound: after !== undefined }]
  while (stack.length > 0) {
    const { node, at: from, bit, bound } = stack.pop()!
    if (skipPruned && !(node instanceof Slice) && node.type === PRUNED_BRANCH) continue
    if (from > 0) setBit(key, from - 1, bit)
    const slice = node instanceof Slice ? node.clone() : beginParse(node)
    const at = from + readLabel(slice, keyBits - from, key, from)
    const order = bound ? compareBits(key, after!, from, at) : 0
    if (order !== 0 && order < 0 !== reverse) continue
    const still = bound && order === 0
    if (at === keyBits) {
      if (!still || inclusive) yield [Buffer.from(key), slice]
      continue
    }
    const left = slice.ref()
    const right = slice.ref()
    if (skipExtra) skipExtra(slice)
    else if (!(node instanceof Slice)) slice.expectEnd()
    const limit = still ? ((after![at >> 3]! >> (7 - (at & 7))) & 1) === 1 : reverse
    const one: Step = { node: right, at: at + 1, bit: true, bound: still && limit }
    const zero: Step = { node: left, at: at + 1, bit: false, bound: still && !limit }
    const [first, last] = reverse ? [one, zero] : [zero, one]
    if (limit === reverse) stack.push(last, first)
    else stack.push(last)
  }
}

/**
 * The value under a key of a Hashmap n X or HashmapAug (root as above, null for an empty one), or null when the dictionary
 * provably does not hold it. Only the path to the key is opened. Throws `malformed`, also where a proof pruned the path.
 */
export const dictLookup = (root: Cell | Slice | null, keyBits: number, key: Buffer): Slice | null => {
  if (keyBits > MAX_KEY_BITS || key.length * 8 < keyBits) throw new TonlithError('internal', 'bad dictionary key')
  const label = Buffer.alloc((keyBits + 7) >> 3)
  let node = root
  let at = 0
  while (node) {
    const slice = node instanceof Slice ? node.clone() : beginParse(node)
    const n = readLabel(slice, keyBits - at, label, at)
    for (let i = at; i < at + n; i++) if ((label[i >> 3]! ^ key[i >> 3]!) & (128 >> (i & 7))) return null
    at += n
    if (at === keyBits) return slice
    const bit = (key[at >> 3]! >> (7 - (at & 7))) & 1
    setBit(label, at, bit === 1)
    at++
    node = slice.preloadRef(bit)
  }
  return null
}

/**
 * All values of a small Hashmap as a list, in key order. A dictionary can have far more entries than cells, so one with
 * more than 65,536 throws `malformed` like any other broken cell.
 */
export const dictList = <T>(
  root: Cell | Slice | null,
  keyBits: number,
  load: (value: Slice, key: Buffer) => T,
): T[] => {
  const list: T[] = []
  if (!root) return list
  for (const [key, value] of dictEntries(root, keyBits)) {
    if (list.length >= MAX_LISTED) throw new TonlithError('malformed', 'dictionary too large')
    list.push(load(value, key))
  }
  return list
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
