import { type Cell, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from './cell.ts'

/**
 * Cells under a Merkle cell (the new part of a block's Merkle update, a proof) stand for the cells of the original tree,
 * some of them pruned. `depth` counts the Merkle cells between the top of that tree and the cell: 0 unless the tree holds
 * Merkle cells of its own. The original of `cell` has the representation hash `cell.hash(depth)`.
 */

/** The depth of a cell's children, for a cell of this depth. */
export const childDepth = (cell: Cell, depth: number): number =>
  cell.type === MERKLE_PROOF || cell.type === MERKLE_UPDATE ? depth + 1 : depth

/** True for the stand-in of a cell that is not shown; a pruned branch that the original tree itself holds is shown. */
export const isPruned = (cell: Cell, depth: number): boolean => cell.type === PRUNED_BRANCH && cell.level === depth + 1

/** True when nothing below is pruned: the cell is its own original. */
export const isWhole = (cell: Cell, depth: number): boolean => cell.level <= depth
