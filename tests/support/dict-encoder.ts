import { type Builder, beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'

export type LabelKind = 'short' | 'long' | 'same'

/** One entry: the key as a text of 0 and 1, and what writes its value. */
export interface DictEntry {
  key: string
  value: (builder: Builder) => Builder
}

export interface DictShape {
  /** Which of the kinds that fit a label is taken. */
  label: (fitting: readonly LabelKind[]) => LabelKind
  /** Writes the augmentation of a node over these entries, for HashmapAug. */
  extra?: (builder: Builder, entries: readonly DictEntry[]) => Builder
}

const storeBits = (builder: Builder, bits: string): Builder => {
  for (const bit of bits) builder.bit(bit === '1')
  return builder
}

const storeLabel = (builder: Builder, label: string, max: number, { label: choose }: DictShape): Builder => {
  const lengthBits = 32 - Math.clz32(max)
  const same = label !== '' && !/01|10/.test(label)
  switch (choose(same ? ['short', 'long', 'same'] : ['short', 'long'])) {
    case 'short':
      return storeBits(storeBits(builder, `0${'1'.repeat(label.length)}0`), label)
    case 'long':
      return storeBits(builder.uint(0b10, 2).uint(label.length, lengthBits), label)
    case 'same':
      return builder
        .uint(0b11, 2)
        .bit(label[0] === '1')
        .uint(label.length, lengthBits)
  }
}

const commonPrefix = (a: string, b: string): string => {
  let n = 0
  while (n < a.length && a[n] === b[n]) n++
  return a.slice(0, n)
}

const encode = (entries: readonly DictEntry[], at: number, keyBits: number, shape: DictShape): Cell => {
  const first = entries[0]!.key.slice(at)
  const label = commonPrefix(first, entries[entries.length - 1]!.key.slice(at))
  const builder = storeLabel(beginCell(), label, keyBits - at, shape)
  const from = at + label.length
  if (from < keyBits) {
    for (const side of ['0', '1']) {
      const half = entries.filter(({ key }) => key[from] === side)
      builder.ref(encode(half, from + 1, keyBits, shape))
    }
  }
  shape.extra?.(builder, entries)
  return from < keyBits ? builder.endCell() : entries[0]!.value(builder).endCell()
}

/** The root cell of a Hashmap or HashmapAug with at least one entry, its labels written as the shape says. */
export const encodeDict = (entries: readonly DictEntry[], keyBits: number, shape: DictShape): Cell =>
  encode(
    entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    0,
    keyBits,
    shape,
  )
