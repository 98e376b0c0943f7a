import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { dictEntries, type SkipExtra } from '../../../src/ton/dictionary.ts'
import { readLabel } from '../../../src/ton/dictionary-label.ts'
import { beginParse } from '../../../src/ton/slice.ts'

interface Node {
  label: string
  left: Cell
  right: Cell
}

const bitsText = (key: Buffer, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => ((key[(from + i) >> 3]! >> (7 - ((from + i) & 7))) & 1 ? '1' : '0')).join(
    '',
  )

const forkOf = (cell: Cell, at: number, keyBits: number): Node | undefined => {
  const slice = beginParse(cell)
  const key = Buffer.alloc((keyBits + 7) >> 3)
  const length = readLabel(slice, keyBits - at, key, at)
  if (at + length === keyBits) return undefined
  return { label: bitsText(key, at, at + length), left: slice.ref(), right: slice.ref() }
}

/** The entries below a node, by the bits of their keys behind `at`. */
const entriesBelow = (cell: Cell | null, at: number, keyBits: number, skipExtra: SkipExtra): Map<string, string> => {
  const found = new Map<string, string>()
  if (!cell) return found
  for (const [key, value] of dictEntries(cell, keyBits - at, { skipExtra }))
    found.set(bitsText(key, 0, keyBits - at), beginCell().slice(value).endCell().hash().toString('latin1'))
  return found
}

/** The keys (as texts of bits) whose entries differ between two HashmapAug; costs little where they share subtrees. */
export const changedKeys = (
  before: Cell | null,
  after: Cell | null,
  keyBits: number,
  skipExtra: SkipExtra,
): Set<string> => {
  const changed = new Set<string>()
  const compare = (a: Cell | null, b: Cell | null, path: string): void => {
    if (a && b && a.hash().equals(b.hash())) return
    const [one, other] = [a && forkOf(a, path.length, keyBits), b && forkOf(b, path.length, keyBits)]
    if (one && other && one.label === other.label) {
      compare(one.left, other.left, `${path}${one.label}0`)
      compare(one.right, other.right, `${path}${one.label}1`)
      return
    }
    const [olds, news] = [a, b].map((cell) => entriesBelow(cell, path.length, keyBits, skipExtra)) as [
      Map<string, string>,
      Map<string, string>,
    ]
    for (const [key, value] of olds) if (news.get(key) !== value) changed.add(path + key)
    for (const key of news.keys()) if (!olds.has(key)) changed.add(path + key)
  }
  compare(before, after, '')
  return changed
}

/** The key that such a text stands for. */
export const keyBytes = (text: string): Buffer =>
  Buffer.from(Array.from({ length: text.length >> 3 }, (_, i) => Number.parseInt(text.slice(i * 8, i * 8 + 8), 2)))

/** A key in the same form. */
export const keyText = (key: Buffer, keyBits: number): string => bitsText(key, 0, keyBits)
