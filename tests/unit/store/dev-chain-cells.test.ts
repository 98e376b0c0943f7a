import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addNextState, addWholeState, createStateReader } from '../../../src/store/dev-chain-cells.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { withRefs } from '../../../src/ton/data-cell.ts'
import { applyUpdate } from '../../../src/ton/merkle.ts'
import { makeUpdate } from '../../../src/ton/merkle-update.ts'
import { buildSplitState } from '../../../src/ton/tlb/shard-state.ts'
import { anyCells, ordinaryCell } from '../../support/cell-arbitrary.ts'
import { proofCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { sameTree } from '../../support/same-tree.ts'

/** A table in memory. */
const createTable = () => {
  const rows = new Map<string, Buffer>()
  const get = (key: Buffer): Buffer | undefined => rows.get(key.toString('hex'))
  return {
    rows,
    get,
    getBinaryFast: get,
    getKeys: () =>
      [...rows.keys()]
        .sort()
        .slice(-1)
        .map((key) => Buffer.from(key, 'hex')),
    putSync: (key: Buffer, value: Buffer) => {
      if (get(key)) throw new Error('written twice')
      rows.set(key.toString('hex'), value)
      return true
    },
  }
}
type CellTable = Parameters<typeof addWholeState>[0]
const open = () => {
  const table = createTable()
  return { table: table as unknown as CellTable, rows: table.rows, read: createStateReader(table as never, 20) }
}

/** Trees of level 0, as states are, with Merkle cells, libraries and pruned branches in them. */
const states: fc.Arbitrary<Cell[]> = anyCells
  .map((cells) => cells.filter(({ level }) => level === 0))
  .filter((cells) => cells.length > 1)

const sharing = (a: Cell, b: Cell): Cell =>
  a.exotic || a.refCount === 0
    ? a
    : withRefs(
        a,
        Array.from({ length: a.refCount }, (_, i) => (i === 0 ? b : a.ref(i))),
      )

describe('the cells of a state', () => {
  test('are read as they were written, exotic ones too', () => {
    fc.assert(
      fc.property(states, (cells) => {
        const { table, read } = open()
        const roots = cells.slice(-5)
        const ids = roots.map((root) => addWholeState(table, root))
        roots.forEach((root, i) => void expect(sameTree(read(ids[i]!), root)).toBe(true))
      }),
      { numRuns: 150 },
    )
  })

  test('follow from a Merkle update, step by step', () => {
    fc.assert(
      fc.property(states, (cells) => {
        const { table, rows, read } = open()
        let state = cells[0]!
        let id = addWholeState(table, state)
        for (const next of cells.slice(1).map((cell, i) => (i % 2 ? sharing(cell, state) : cell))) {
          if (next.level > 0) continue
          const update = makeUpdate(state, next)
          id = addNextState(table, [id], update)
          expect(sameTree(read(id), applyUpdate(state, update))).toBe(true)
          expect(sameTree(read(id), next)).toBe(true)
          const size = rows.size
          expect(addNextState(table, [id], makeUpdate(next, next))).toBe(id)
          expect(rows.size).toBe(size)
          state = next
        }
      }),
      { numRuns: 150 },
    )
  })

  test('follow from both halves of a merge', () => {
    fc.assert(
      fc.property(ordinaryCell, ordinaryCell, (left, right) => {
        const { table, read } = open()
        const ids = [addWholeState(table, left), addWholeState(table, right)]
        const merged = sharing(sharing(left, right), right)
        const update = makeUpdate(buildSplitState(left, right), merged)
        expect(sameTree(read(addNextState(table, ids, update)), merged)).toBe(true)
      }),
      { numRuns: 80 },
    )
  })

  test('do not follow from another state', () => {
    fc.assert(
      fc.property(ordinaryCell, ordinaryCell, (a, b) => {
        fc.pre(!a.hash().equals(b.hash()))
        const { table, rows } = open()
        const id = addWholeState(table, a)
        const size = rows.size
        expect(failureOf(() => addNextState(table, [id], makeUpdate(b, proofCell(a))))).toBe('proof')
        expect(rows.size).toBe(size)
      }),
      { numRuns: 40 },
    )
  })

  test('that are missing or cut short are told', () => {
    const { table, rows, read } = open()
    expect(failureOf(() => read(7))).toBe('malformed')
    fc.assert(
      fc.property(ordinaryCell, fc.nat(), (root, at) => {
        const id = addWholeState(table, root)
        for (const [key, row] of rows) rows.set(key, row.subarray(0, at % row.length))
        expect(failureOf(() => createStateReader(table, 10)(id))).toBe('malformed')
        rows.clear()
      }),
      { numRuns: 40 },
    )
  })
})
