import type { Cell } from '../ton/cell.ts'
import { childDepth, isPruned, isWhole } from '../ton/partial-tree.ts'

/** Place of `state_update` among the references of TL-B Block. */
const STATE_UPDATE = 2

/**
 * A look-up over every cell that blocks (root cells) show: transactions with their messages, and the visible parts of
 * the states before and after. It finds a cell by its representation hash; the cell may have pruned parts, unless a
 * whole one with the same hash is there.
 */
export const shownCells = (blocks: readonly Cell[]): ((hash: Buffer) => Cell | undefined) => {
  const shown = new Map<string, Cell>()
  const walked = new Set<string>()
  const stack: { cell: Cell; depth: number }[] = []
  for (const block of blocks) {
    for (let i = 0; i < block.refCount; i++) {
      const cell = block.ref(i)
      if (i !== STATE_UPDATE) stack.push({ cell, depth: 0 })
      else for (let side = 0; side < cell.refCount; side++) stack.push({ cell: cell.ref(side), depth: 0 })
    }
  }
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { cell, depth } = next
    if (isPruned(cell, depth)) continue
    const form = `${depth}${cell.hash().toString('latin1')}`
    if (walked.has(form)) continue
    walked.add(form)
    const name = cell.hash(depth).toString('latin1')
    if (isWhole(cell, depth)) shown.set(name, cell)
    else if (depth === 0 && !shown.has(name)) shown.set(name, cell)
    const below = childDepth(cell, depth)
    for (let i = 0; i < cell.refCount; i++) stack.push({ cell: cell.ref(i), depth: below })
  }
  return (hash) => shown.get(hash.toString('latin1'))
}
