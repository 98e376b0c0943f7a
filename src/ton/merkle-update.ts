import type { Cell } from './cell.ts'
import { HASH_BYTES, MERKLE_UPDATE } from './cell.ts'
import { makeCell, withRefs } from './data-cell.ts'
import { MAX_MERKLE_DEPTH, prunedBranch } from './merkle.ts'
import { childDepth } from './partial-tree.ts'

/** A cell of one of the two trees, where it was met first. */
interface Met {
  cell: Cell
  parent: Met | null
  /** It is in the other tree too. */
  shared: boolean
  /** Its children have been looked at. */
  expanded: boolean
}

/** One tree as far as it has been looked at: its cells by hash, and those whose children come next. */
interface Side {
  met: Map<string, Met>
  frontier: Met[]
}

const keyOf = (cell: Cell): string => cell.hash().toString('latin1')

const sideOf = (root: Cell): Side => {
  const met: Met = { cell: root, parent: null, shared: false, expanded: false }
  return { met: new Map([[keyOf(root), met]]), frontier: [met] }
}

/** Marks a cell of one tree that the other one has as well. */
const match = (key: string, met: Met, other: Side): void => {
  const twin = other.met.get(key)
  if (!twin) return
  met.shared = true
  twin.shared = true
}

/** True below a cell that both trees share, and for such a cell: nothing there needs a look. */
const isSettled = (met: Met): boolean => {
  for (let at: Met | null = met; at; at = at.parent) if (at.shared) return true
  return false
}

/** Looks at the next level of a tree. */
const expand = (side: Side, other: Side): void => {
  const next: Met[] = []
  for (const met of side.frontier) {
    if (met.expanded || isSettled(met)) continue
    met.expanded = true
    for (let i = 0; i < met.cell.refCount; i++) {
      const cell = met.cell.ref(i)
      const key = keyOf(cell)
      if (side.met.has(key)) continue
      const child: Met = { cell, parent: met, shared: false, expanded: false }
      side.met.set(key, child)
      match(key, child, other)
      next.push(child)
    }
  }
  side.frontier = next
}

/**
 * The cells of the new tree that are left to open: not shared, in reach from the root, and not yet looked into. A cell that
 * was met first below one that turned out to be shared is from now on known by the way on which it is in reach.
 */
const unopened = (root: Cell, { met }: Side): Met[] => {
  const found: Met[] = []
  const walked = new Set<Met>()
  const stack: { cell: Cell; parent: Met | null }[] = [{ cell: root, parent: null }]
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { cell, parent } = step
    const here = met.get(keyOf(cell))
    if (!here || here.shared || walked.has(here)) continue
    walked.add(here)
    here.parent = parent
    if (!here.expanded) found.push(here)
    else for (let i = 0; i < cell.refCount; i++) stack.push({ cell: cell.ref(i), parent: here })
  }
  return found
}

/**
 * Looks at both trees level by level, below cells of which it is not known that both have them, until all of the new tree
 * is known. What moved up or down in the tree is found some levels late; what was looked at below it until then is left.
 */
const compare = (oldRoot: Cell, newRoot: Cell): { before: Side; after: Side } => {
  const [before, after] = [sideOf(oldRoot), sideOf(newRoot)]
  match(keyOf(newRoot), after.met.get(keyOf(newRoot))!, before)
  while (after.frontier.length > 0) {
    while (after.frontier.length > 0) {
      expand(after, before)
      expand(before, after)
    }
    after.frontier = unopened(newRoot, after)
  }
  return { before, after }
}

/** A tree in which only the cells that `isOpen` names are opened, and all others pruned. */
const prune = (root: Cell, isOpen: (key: string) => boolean): Cell => {
  const made = new Map<string, Cell>()
  const visit = (cell: Cell, depth: number): Cell => {
    if (cell.refCount === 0 || depth >= MAX_MERKLE_DEPTH) return cell
    const hash = keyOf(cell)
    if (!isOpen(hash)) return prunedBranch(cell, depth)
    const key = `${depth}${hash}`
    const known = made.get(key)
    if (known) return known
    const refs: Cell[] = []
    for (let i = 0; i < cell.refCount; i++) refs.push(visit(cell.ref(i), childDepth(cell, depth)))
    const result = withRefs(cell, refs)
    made.set(key, result)
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
  const { before, after } = compare(oldRoot, newRoot)
  const needed = new Set<Met>()
  const newPart = prune(newRoot, (key) => {
    if (after.met.get(key)?.shared !== true) return true
    for (let at = before.met.get(key)!.parent; at && !needed.has(at); at = at.parent) needed.add(at)
    return false
  })
  const oldPart = prune(oldRoot, (key) => {
    const met = before.met.get(key)
    return met !== undefined && needed.has(met)
  })
  return updateCell(oldRoot, newRoot, oldPart, newPart)
}
