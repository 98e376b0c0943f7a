import { type Cell, MAX_BITS } from '../../src/ton/cell.ts'
import { makeCell } from '../../src/ton/data-cell.ts'
import { prunedCell } from './exotic-cells.ts'

/** One change somewhere below a root; all numbers are taken modulo what there is to choose from. */
export interface Mutation {
  /** Which reference to follow at each step; the change is made in the cell where the path ends. */
  path: readonly number[]
  kind: 'flip' | 'cut' | 'grow' | 'drop' | 'swap' | 'double' | 'prune'
  at: number
}

const dataOf = (cell: Cell): Uint8Array =>
  Uint8Array.from(cell.bytes.subarray(cell.start, cell.start + ((cell.bits + 7) >> 3)))
const refsOf = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))

/** The same data cut to, or filled with zeros up to, a number of bits, with its completion tag. */
const resized = (cell: Cell, bits: number): Uint8Array => {
  const bytes = new Uint8Array((bits + 7) >> 3)
  for (let i = 0; i < Math.min(bits, cell.bits); i++)
    if (cell.bytes[cell.start + (i >> 3)]! & (128 >> (i & 7))) bytes[i >> 3]! |= 128 >> (i & 7)
  if (bits & 7) bytes[bits >> 3]! |= 128 >> (bits & 7)
  return bytes
}

const changed = (cell: Cell, { kind, at }: Mutation): Cell => {
  const refs = refsOf(cell)
  switch (kind) {
    case 'flip': {
      const bytes = dataOf(cell)
      if (cell.bits > 0) bytes[(at % cell.bits) >> 3]! ^= 128 >> ((at % cell.bits) & 7)
      return makeCell(bytes, cell.bits, refs)
    }
    case 'cut': {
      const bits = at % (cell.bits + 1)
      return makeCell(resized(cell, bits), bits, refs)
    }
    case 'grow': {
      const bits = Math.min(MAX_BITS, cell.bits + 1 + (at % 64))
      return makeCell(resized(cell, bits), bits, refs)
    }
    case 'drop':
      return makeCell(dataOf(cell), cell.bits, refs.slice(0, -1))
    case 'swap':
      return makeCell(dataOf(cell), cell.bits, refs.toReversed())
    case 'double':
      return makeCell(dataOf(cell), cell.bits, [...refs, refs[at % Math.max(1, refs.length)] ?? cell].slice(0, 4))
    case 'prune':
      return prunedCell(1, [cell.hash(0)], [cell.depth(0)])
  }
}

/** The root with one change below it. Exotic cells are replaced as a whole, never opened. */
export const mutated = (root: Cell, mutation: Mutation): Cell => {
  const [step, ...path] = mutation.path
  if (root.exotic) return prunedCell(1, [root.hash(0)], [root.depth(0)])
  if (step === undefined || root.refCount === 0) return changed(root, mutation)
  const refs = refsOf(root)
  const i = step % refs.length
  refs[i] = mutated(refs[i]!, { ...mutation, path })
  return makeCell(dataOf(root), root.bits, refs)
}
