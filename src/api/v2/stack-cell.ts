import type { Cell } from '../../ton/cell.ts'
import type { Neutral } from './dialect.ts'

/** What may still be spent on one answer. */
export interface CellBudget {
  /** Cells written out as objects. */
  nodes: number
}

/** Bounds the objects of one answer: a tree of shared cells can be exponentially larger than its bag (contracts/v2.md 20 #22). */
export const MAX_CELL_NODES = 8_192

/** Data bits with the completion tag in the last byte, as on the wire. */
const dataBits = ({ bytes, start, bits }: Cell): Buffer => Buffer.from(bytes.subarray(start, start + ((bits + 7) >> 3)))

const expand = (cell: Cell, budget: CellBudget): Neutral | undefined => {
  if (--budget.nodes < 0) return undefined
  const refs: Neutral[] = []
  for (let i = 0; i < cell.refCount; i++) {
    const child = expand(cell.ref(i), budget)
    if (child === undefined) return undefined
    refs.push(child)
  }
  return { data: { b64: dataBits(cell), len: cell.bits }, refs, special: cell.exotic }
}

/** The legacy cell object: the tree below a cell, written out; undefined when the answer has no room for it. */
export const cellObject = (cell: Cell, budget: CellBudget): Neutral | undefined => expand(cell, budget)
