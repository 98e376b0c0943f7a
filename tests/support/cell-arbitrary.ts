import fc from 'fast-check'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { levelsIn, libraryCell, proofCell, prunedCell, updateCell } from './exotic-cells.ts'

/** What a random cell is made of; which of it is used depends on the kind. */
interface Recipe {
  kind: 'ordinary' | 'pruned' | 'library' | 'proof' | 'update'
  bytes: Uint8Array
  bits: number
  refs: number[]
  mask: number
  depths: number[]
}

const MAX_CELLS = 30

const recipe = (kinds: readonly Recipe['kind'][]): fc.Arbitrary<Recipe> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    bytes: fc.uint8Array({ minLength: 128, maxLength: 128 }),
    bits: fc.oneof(fc.nat(1023), fc.constantFrom(0, 1, 7, 8, 9, 1016, 1023)),
    refs: fc.array(fc.nat(), { maxLength: 4 }),
    mask: fc.integer({ min: 1, max: 7 }),
    depths: fc.array(fc.nat(20), { minLength: 3, maxLength: 3 }),
  })

const build = ({ kind, bytes, bits, refs, mask, depths }: Recipe, made: readonly Cell[]): Cell => {
  const child = (i: number): Cell => made[(refs[i] ?? 0) % made.length] ?? beginCell().endCell()
  switch (kind) {
    case 'pruned': {
      const n = levelsIn(mask)
      const hashes = Array.from({ length: n }, (_, i) => bytes.subarray(i * 32, i * 32 + 32))
      return prunedCell(mask, hashes, depths.slice(0, n))
    }
    case 'library':
      return libraryCell(bytes.subarray(0, 32))
    case 'proof':
      return proofCell(child(0))
    case 'update':
      return updateCell(child(0), child(1))
    case 'ordinary': {
      const builder = beginCell().bits({ bytes: Buffer.from(bytes), length: bits })
      if (made.length > 0) refs.forEach((_, i) => void builder.ref(child(i)))
      return builder.endCell()
    }
  }
}

const cells = (kinds: readonly Recipe['kind'][]): fc.Arbitrary<Cell[]> =>
  fc.array(recipe(kinds), { minLength: 1, maxLength: MAX_CELLS }).map((recipes) => {
    const made: Cell[] = []
    for (const each of recipes) made.push(build(each, made))
    return made
  })

const last = (made: readonly Cell[]): Cell => made[made.length - 1]!

/** Random graphs of ordinary cells, later ones over earlier ones. */
export const ordinaryCells = cells(['ordinary'])
/** Random graphs in which a third of the cells is exotic: pruned branches of every mask, libraries, Merkle cells. */
export const anyCells = cells([...Array(8).fill('ordinary'), 'pruned', 'library', 'proof', 'update'])
export const ordinaryCell: fc.Arbitrary<Cell> = ordinaryCells.map(last)
export const anyCell: fc.Arbitrary<Cell> = anyCells.map(last)
