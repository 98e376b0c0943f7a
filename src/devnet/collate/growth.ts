import type { Cell } from '../../ton/cell.ts'
import { bitAt, divergence, readLabel } from '../../ton/dictionary-label.ts'
import { beginParse } from '../../ton/slice.ts'

/**
 * What a block takes: the cells that it holds, and those that the state has more than before (node: NewCellStorageStat).
 * Cells of the state before the block are to be made known: they count as references only.
 */
export interface Growth {
  /** Cells that the block holds. */
  addCells(root: Cell | null): void
  /** A part of the new state. */
  addState(root: Cell | null): void
  /** A cell of the old state. */
  knowCell(cell: Cell | null): void
  /** All cells of a part of the old state, as far as the bound on their number allows. */
  knowTree(root: Cell | null): void
  /** The cells of a dictionary of the old state that a change of this key can touch or refer to. */
  knowPath(root: Cell | null, key: Buffer, keyBits: number): void
  bytes(): number
}

const CELL_BYTES = 12
const REF_BYTES = 3
const OLD_REF_BYTES = 40
const MOST_KNOWN = 4096

const keyOf = (cell: Cell): string => cell.hash().toString('latin1')

function* refsOf(cell: Cell): Generator<Cell> {
  for (let i = 0; i < cell.refCount; i++) yield cell.ref(i)
}

/** Starts to measure. */
export const measureGrowth = (): Growth => {
  const held = new Set<string>()
  const grown = new Set<string>()
  const old = new Set<string>()
  /** Those of the old ones below which all are known. */
  const whole = new Set<string>()
  let [cells, bits, refs, oldRefs] = [0, 0, 0, 0]
  const add = (root: Cell | null, seen: Set<string>, stops: (key: string) => boolean): void => {
    if (!root) return
    const stack = [root]
    for (let cell = stack.pop(); cell; cell = stack.pop()) {
      const key = keyOf(cell)
      if (stops(key)) {
        oldRefs++
        continue
      }
      refs++
      if (seen.has(key)) continue
      seen.add(key)
      cells++
      bits += cell.bits
      stack.push(...refsOf(cell))
    }
  }
  return {
    addCells: (root) => add(root, held, () => false),
    addState: (root) => add(root, grown, (key) => old.has(key)),
    knowCell: (cell) => {
      if (cell) old.add(keyOf(cell))
    },
    knowTree: (root) => {
      const stack = root ? [root] : []
      for (let count = 0, cell = stack.pop(); cell && count < MOST_KNOWN; cell = stack.pop()) {
        const key = keyOf(cell)
        if (whole.has(key)) continue
        whole.add(key)
        old.add(key)
        count++
        stack.push(...refsOf(cell))
      }
    },
    knowPath: (root, key, keyBits) => {
      const label = Buffer.from(key)
      for (let cell = root, at = 0; cell; ) {
        old.add(keyOf(cell))
        for (const child of refsOf(cell)) old.add(keyOf(child))
        const slice = beginParse(cell)
        const end = at + readLabel(slice, keyBits - at, label, at)
        if (end >= keyBits || divergence(label, key, at, end) < end) return
        const side = bitAt(key, end)
        for (const child of refsOf(cell.ref(1 - side))) old.add(keyOf(child))
        key.copy(label)
        cell = cell.ref(side)
        at = end + 1
      }
    },
    bytes: () => Math.floor(bits / 8) + cells * CELL_BYTES + refs * REF_BYTES + oldRefs * OLD_REF_BYTES,
  }
}
