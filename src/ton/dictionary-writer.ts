import { TonlithError } from '../common/errors.ts'
import { type Builder, beginCell } from './builder.ts'
import type { Cell } from './cell.ts'

/** One entry of a dictionary: the key as left-aligned bits, and what writes its value. */
export interface DictItem {
  key: Buffer
  store: (builder: Builder) => unknown
}

const bitAt = (key: Buffer, at: number): number => (key[at >> 3]! >> (7 - (at & 7))) & 1

const storeBits = (builder: Builder, key: Buffer, from: number, to: number): void => {
  for (let at = from; at < to; at++) builder.bit(bitAt(key, at) === 1)
}

const isUniform = (key: Buffer, from: number, to: number): boolean => {
  for (let at = from + 1; at < to; at++) if (bitAt(key, at) !== bitAt(key, from)) return false
  return to > from
}

/** TL-B HmLabel in the form that the node chooses: one repeated bit where that is shorter, else the shorter of the two others. */
const storeLabel = (builder: Builder, key: Buffer, from: number, to: number, max: number): void => {
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

/** First bit from `at` on in which the two keys differ, `end` when none does. */
const divergence = (a: Buffer, b: Buffer, at: number, end: number): number => {
  let i = at
  while (i < end && bitAt(a, i) === bitAt(b, i)) i++
  return i
}

/** The node over the sorted items from `low` to `high`, which all agree in the bits before `at`. */
const buildNode = (items: readonly DictItem[], low: number, high: number, at: number, keyBits: number): Cell => {
  const { key, store } = items[low]!
  const fork = divergence(key, items[high - 1]!.key, at, keyBits)
  const builder = beginCell()
  storeLabel(builder, key, at, fork, keyBits - at)
  if (fork === keyBits) {
    if (high - low > 1) throw new TonlithError('internal', 'two entries with one dictionary key')
    store(builder)
    return builder.endCell()
  }
  let middle = low + 1
  while (bitAt(items[middle]!.key, fork) === 0) middle++
  return builder
    .ref(buildNode(items, low, middle, fork + 1, keyBits))
    .ref(buildNode(items, middle, high, fork + 1, keyBits))
    .endCell()
}

/**
 * The root of a Hashmap n X over these entries in any order, null for none (TL-B HashmapE n X is then hme_empty); the same
 * cells as the node makes. Throws `internal` for a repeated key, and what the values' writers throw.
 */
export const buildDict = (items: readonly DictItem[], keyBits: number): Cell | null => {
  if (items.length === 0) return null
  const sorted = items.toSorted((a, b) => Buffer.compare(a.key, b.key))
  return buildNode(sorted, 0, sorted.length, 0, keyBits)
}
