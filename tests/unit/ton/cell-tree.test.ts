import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { CellTree } from '../../../src/ton/cell-tree.ts'

const leaf = (n: number): Cell => beginCell().uint(n, 32).endCell()

/** A tree of different cells, four below each. */
const wide = (depth: number, next = { n: 0 }): Cell => {
  const builder: Builder = beginCell().uint(next.n++, 32)
  for (let i = 0; depth > 0 && i < 4; i++) builder.ref(wide(depth - 1, next))
  return builder.endCell()
}

const tableOf = (tree: CellTree) =>
  Array.from({ length: tree.count }, (_, place) => ({
    cell: tree.cells[place]!,
    refs: [...tree.refs.subarray(place * 4, place * 4 + tree.cells[place]!.refCount)],
    weight: tree.weights[place]!,
    shared: tree.shared[place] === 1,
  }))

describe('a tree of cells', () => {
  test('has equal cells once, those below first', () => {
    const tree = new CellTree()
    const root = beginCell().ref(leaf(1)).ref(leaf(2)).ref(leaf(1)).endCell()
    expect(tree.add(root)).toBe(2)
    expect(tableOf(tree).map(({ refs, weight, shared }) => ({ refs, weight, shared }))).toEqual([
      { refs: [], weight: 1, shared: true },
      { refs: [], weight: 1, shared: false },
      { refs: [0, 1, 0], weight: 4, shared: false },
    ])
  })

  test('holds any number of cells, and few again afterwards', () => {
    const tree = new CellTree()
    for (const depth of [7, 1, 4, 0, 6]) {
      tree.clear()
      const root = wide(depth)
      expect(tree.add(root)).toBe((4 ** (depth + 1) - 1) / 3 - 1)
      for (const { cell, refs } of tableOf(tree))
        for (let i = 0; i < refs.length; i++) expect(tree.cells[refs[i]!]).toBe(cell.ref(i))
      expect(tree.add(root)).toBe(tree.count - 1)
    }
  })
})
