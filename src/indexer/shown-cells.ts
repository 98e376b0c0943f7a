import type { Cell } from '../ton/cell.ts'
import { childDepth, isPruned, isWhole } from '../ton/partial-tree.ts'

/** Place of `state_update` among the references of TL-B Block. */
const STATE_UPDATE = 2

/** The first 48 bits of a hash. */
const shortened = (hash: Buffer): number => hash.readUIntBE(0, 6)

interface Shown {
  cell: Cell
  depth: number
}

/** The cells below which all that a block shows lies: its parts, and the states before and after in place of the update. */
const topsOf = (block: Cell): Cell[] =>
  Array.from({ length: block.refCount }, (_, i) => block.ref(i)).flatMap((part, i) =>
    i === STATE_UPDATE ? Array.from({ length: part.refCount }, (_, side) => part.ref(side)) : part,
  )

/**
 * A look-up over every cell that blocks (root cells) show: transactions with their messages, and the visible parts of
 * the states before and after. It finds a cell by its representation hash; the cell may have pruned parts, unless a
 * whole one with the same hash is there.
 */
export const shownCells = (blocks: readonly Cell[]): ((hash: Buffer) => Cell | undefined) => {
  const shown = new Map<number, Shown>()
  const walked: Set<Cell>[] = []
  const stack: Shown[] = blocks.flatMap(topsOf).map((cell) => ({ cell, depth: 0 }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { cell, depth } = next
    walked[depth] ??= new Set()
    if (isPruned(cell, depth) || walked[depth].has(cell)) continue
    walked[depth].add(cell)
    const key = shortened(cell.hash(depth))
    if (isWhole(cell, depth) || (depth === 0 && !shown.has(key))) shown.set(key, next)
    const below = childDepth(cell, depth)
    for (let i = 0; i < cell.refCount; i++) stack.push({ cell: cell.ref(i), depth: below })
  }
  return (hash) => {
    const found = shown.get(shortened(hash))
    return found?.cell.hash(found.depth).equals(hash) ? found.cell : undefined
  }
}
