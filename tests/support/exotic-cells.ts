import { type Builder, beginCell } from '../../src/ton/builder.ts'
import { type Cell, LIBRARY, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../../src/ton/cell.ts'

/** A library reference. */
export const libraryCell = (hash: Uint8Array): Cell => beginCell().uint(LIBRARY, 8).bytes(hash).endCell(true)

/** A pruned branch of a level mask; `hashes` and `depths` has one entry per bit of the mask. */
export const prunedCell = (mask: number, hashes: readonly Uint8Array[], depths: readonly number[]): Cell => {
  const builder = beginCell().uint(PRUNED_BRANCH, 8).uint(mask, 8)
  for (const hash of hashes) builder.bytes(hash)
  for (const depth of depths) builder.uint(depth, 16)
  return builder.endCell(true)
}

const named = (builder: Builder, cells: readonly Cell[]): Cell => {
  for (const cell of cells) builder.bytes(cell.hash(0))
  for (const cell of cells) builder.uint(cell.depth(0), 16)
  for (const cell of cells) builder.ref(cell)
  return builder.endCell(true)
}

/** A Merkle proof of the cell. */
export const proofCell = (root: Cell): Cell => named(beginCell().uint(MERKLE_PROOF, 8), [root])

/** A Merkle update between the cells. */
export const updateCell = (from: Cell, to: Cell): Cell => named(beginCell().uint(MERKLE_UPDATE, 8), [from, to])

/** The number of bits that are set in a level mask. */
export const levelsIn = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
