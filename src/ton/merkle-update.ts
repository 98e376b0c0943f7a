import type { Cell } from './cell.ts'
import { HASH_BYTES, MERKLE_UPDATE } from './cell.ts'
import { makeCell, withRefs } from './data-cell.ts'
import { MAX_MERKLE_DEPTH, prunedBranch } from './merkle.ts'
import { childDepth } from './partial-tree.ts'

/** A cell of one of the two trees, where it was met first. */
interface Met {
  cell: Cell
  parent: Met | null
  /** The same cell in the other tree, when that has been met there. */
  twin: Met | null
  /** Its children, once they have been looked at. */
  children: Met[] | null
  /** What stands for it at Merkle depth 0 where it is pruned. */
  stub: Cell | null
}

/** One tree as far as it has been looked at: its cells by hash, and those whose children come next. */
interface Side {
  root: Met
  met: Map<string, Met>
  frontier: Met[]
}

const keyOf = (cell: Cell): string => cell.hash().toString('latin1')

const newlyMet = (cell: Cell, parent: Met | null): Met => ({ cell, parent, twin: null, children: null, stub: null })

const sideOf = (cell: Cell): Side => {
  const root = newlyMet(cell, null)
  return { root, met: new Map([[keyOf(cell), root]]), frontier: [root] }
}

/** Tells a cell of one tree from now on as one that the other tree has as well, when that is so. */
const match = (key: string, met: Met, other: Side): void => {
  const twin = other.met.get(key)
  if (!twin) return
  met.twin = twin
  twin.twin = met
}

/** True below a cell that both trees share, and for such a cell: nothing there needs a look. */
const isSettled = (met: Met): boolean => {
  for (let at: Met | null = met; at; at = at.parent) if (at.twin) return true
  return false
}

/** Looks at the next level of a tree. */
const expand = (side: Side, other: Side): void => {
  const next: Met[] = []
  for (const met of side.frontier) {
    if (met.children || isSettled(met)) continue
    met.children = []
    for (let i = 0; i < met.cell.refCount; i++) {
      const cell = met.cell.ref(i)
      const key = keyOf(cell)
      let child = side.met.get(key)
      if (!child) {
        child = newlyMet(cell, met)
        side.met.set(key, child)
        match(key, child, other)
        next.push(child)
      }
      met.children.push(child)
    }
  }
  side.frontier = next
}

/**
 * The cells of a tree that are left to open: not shared, in reach from the root, and not yet looked into. A cell that was
 * met first below one that turned out to be shared is from now on known by the way on which it is in reach.
 */
const unopened = ({ root }: Side): Met[] => {
  const found: Met[] = []
  const walked = new Set<Met>()
  const stack: { met: Met; parent: Met | null }[] = [{ met: root, parent: null }]
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { met, parent } = step
    if (met.twin || walked.has(met)) continue
    walked.add(met)
    met.parent = parent
    if (!met.children) found.push(met)
    else for (const child of met.children) stack.push({ met: child, parent: met })
  }
  return found
}

/**
 * Looks at both trees level by level, below cells of which it is not known that both have them, until all of the new tree
 * is known. What moved up or down in the tree is found some levels late; what was looked at below it until then is left.
 */
const compare = (before: Side, after: Side): void => {
  match(keyOf(after.root.cell), after.root, before)
  while (after.frontier.length > 0) {
    while (after.frontier.length > 0) {
      expand(after, before)
      expand(before, after)
    }
    after.frontier = unopened(after)
  }
}

const stubOf = (met: Met, depth: number): Cell => {
  if (depth > 0) return prunedBranch(met.cell, depth)
  met.stub ??= met.twin?.stub ?? prunedBranch(met.cell, 0)
  return met.stub
}

/** A tree in which only the cells that `isOpen` names are opened, and all others pruned. */
const prune = (root: Met, isOpen: (met: Met) => boolean): Cell => {
  const made = Array.from({ length: MAX_MERKLE_DEPTH }, () => new Map<Met, Cell>())
  const visit = (met: Met, depth: number): Cell => {
    const { cell, children } = met
    if (cell.refCount === 0 || depth >= MAX_MERKLE_DEPTH) return cell
    if (!isOpen(met) || !children) return stubOf(met, depth)
    const known = made[depth]!.get(met)
    if (known) return known
    const below = childDepth(cell, depth)
    const result = withRefs(
      cell,
      children.map((child) => visit(child, below)),
    )
    made[depth]!.set(met, result)
    return result
  }
  return visit(root, 0)
}

const updateCell = (oldRoot: Cell, newRoot: Cell, oldPart: Cell, newPart: Cell): Cell => {
  const data = Buffer.alloc(1 + 2 * (HASH_BYTES + 2))
  data[0] = MERKLE_UPDATE
  data.set(oldRoot.hash(), 1)
  data.set(newRoot.hash(), 1 + HASH_BYTES)
  data.writeUInt16BE(oldRoot.depth(), 1 + 2 * HASH_BYTES)
  data.writeUInt16BE(newRoot.depth(), 3 + 2 * HASH_BYTES)
  return makeCell(data, data.length * 8, [oldPart, newPart], true)
}

/**
 * A Merkle update (TL-B !merkle_update) that makes the new tree from the old one, both of level 0: every subtree that both
 * have is pruned, and of the old tree only the way to such subtrees is shown. The cells that it looks at are about those
 * that changed, however large the trees are. `applyUpdate` (merkle.ts) gives the new tree back.
 */
export const makeUpdate = (oldRoot: Cell, newRoot: Cell): Cell => {
  const [before, after] = [sideOf(oldRoot), sideOf(newRoot)]
  compare(before, after)
  const needed = new Set<Met>()
  const newPart = prune(after.root, ({ twin }) => {
    if (!twin) return true
    for (let at = twin.parent; at && !needed.has(at); at = at.parent) needed.add(at)
    return false
  })
  const oldPart = prune(before.root, (met) => needed.has(met))
  return updateCell(oldRoot, newRoot, oldPart, newPart)
}
