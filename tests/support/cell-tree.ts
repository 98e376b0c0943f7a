import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'

/** A tree of so many different small cells, four below each; `salt` tells trees apart. */
export const cellTree = (count: number, salt = 0): Cell => {
  const cells: Cell[] = new Array(count)
  for (let i = count - 1; i >= 0; i--) {
    const builder = beginCell().uint(i, 24).uint(salt, 8)
    for (let child = 4 * i + 1; child <= 4 * i + 4 && child < count; child++) builder.ref(cells[child]!)
    cells[i] = builder.endCell()
  }
  return cells[0]!
}

/** Such a tree as BoC in base64. */
export const treeText = (count: number, salt = 0): string => cellToBoc(cellTree(count, salt)).toString('base64')
