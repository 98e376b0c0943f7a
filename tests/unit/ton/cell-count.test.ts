import { expect, test } from 'bun:test'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { countCells } from '../../../src/ton/cell-count.ts'

const empty = beginCell().endCell()

test('each cell counts once, however often it is there', () => {
  let shared: Cell = empty
  for (let i = 0; i < 60; i++) shared = beginCell().ref(shared).ref(shared).endCell()
  expect(countCells([shared, shared, empty], 1_000)).toBe(61)
  expect(countCells([parseBocRoot(cellToBoc(shared))], 1_000)).toBe(61)
})

test('the walk ends beyond the bound', () => {
  let chain: Cell = empty
  for (let i = 0; i < 100; i++) chain = beginCell().ref(chain).endCell()
  expect(countCells([chain], 101)).toBe(101)
  expect(countCells([chain], 10)).toBe(11)
})

test('hashes nothing', () => {
  const broken = beginCell().ref(empty).endCell()
  Object.defineProperty(broken, 'hash', {
    value: () => {
      throw new Error('hashed')
    },
  })
  expect(countCells([broken], 10)).toBe(2)
})
