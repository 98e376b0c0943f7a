import type { Cell } from './cell.ts'

/**
 * How many cells the trees below these roots have, each object once; nothing is hashed for it. The walk ends beyond `most`:
 * the answer is larger than that then.
 */
export const countCells = (roots: readonly Cell[], most: number): number => {
  const seen = new Set<Cell>(roots)
  for (const cell of seen) {
    if (seen.size > most) break
    for (let i = 0; i < cell.refCount; i++) seen.add(cell.ref(i))
  }
  return seen.size
}
