import { TonlithError } from '../../src/common/errors.ts'
import { type CellTable, readTree } from '../../src/store/account-cells.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { withRefs } from '../../src/ton/data-cell.ts'
import { childDepth, isPruned, isWhole } from '../../src/ton/partial-tree.ts'

/** The original of a tree of which parts are pruned, these taken from the table. Throws `internal` when one is not there. */
export const wholeTree = (table: Pick<CellTable, 'get'>, part: Cell): Cell => {
  const made = new Map<string, Cell>()
  const rebuild = (cell: Cell, depth: number): Cell => {
    if (isWhole(cell, depth)) return cell
    const hash = cell.hash(depth)
    const name = hash.toString('latin1')
    const known = made.get(name)
    if (known) return known
    const whole = isPruned(cell, depth) ? readTree(table, hash) : withRefs(cell, rebuiltRefs(cell, depth))
    if (!whole) throw new TonlithError('internal', `the table lacks the cell ${hash.toString('hex')}`)
    made.set(name, whole)
    return whole
  }
  const rebuiltRefs = (cell: Cell, depth: number): Cell[] =>
    Array.from({ length: cell.refCount }, (_, i) => rebuild(cell.ref(i), childDepth(cell, depth)))
  return rebuild(part, 0)
}
