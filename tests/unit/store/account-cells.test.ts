import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changeAccountCells, changeTrees, knownCells, readTree } from '../../../src/store/account-cells.ts'
import { decodeCell } from '../../../src/store/cell-rows.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { openProof, recordProof } from '../../../src/ton/merkle.ts'
import { beginExotic } from '../../../src/ton/slice.ts'
import { anyCells, ordinaryCells } from '../../support/cell-arbitrary.ts'
import { cellTable } from '../../support/cell-table.ts'
import { failureOf } from '../../support/failure.ts'
import { wholeTree } from '../../support/whole-tree.ts'

const nameOf = (cell: Cell): string => cell.hash().toString('hex')

/** Every different cell of the trees, and how often cells and roots refer to it. */
const references = (roots: readonly Cell[]): Map<string, number> => {
  const counts = new Map<string, number>()
  const visit = (cell: Cell): void => {
    const known = counts.get(nameOf(cell))
    counts.set(nameOf(cell), (known ?? 0) + 1)
    if (known === undefined) for (let i = 0; i < cell.refCount; i++) visit(cell.ref(i))
  }
  for (const root of roots) visit(root)
  return counts
}

const shortened = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].map(([name, count]): [string, number] => [name.slice(0, 32), count]).sort()

const stored = (rows: ReadonlyMap<string, Buffer>): [string, number][] =>
  [...rows]
    .map(([key, value]): [string, number] => [Buffer.from(key, 'latin1').toString('hex'), decodeCell(value).count])
    .sort()

/** The tree as a Merkle update shows it: cells that the table has may be pruned. */
const partOf = (tree: Cell, holds: (hash: Buffer) => boolean, shows: () => boolean): Cell => {
  const { root, proof } = recordProof(tree)
  const visit = (cell: Cell): void => {
    if (holds(cell.hash()) && !shows()) return
    beginExotic(cell)
    for (let i = 0; i < cell.refCount; i++) visit(cell.ref(i))
  }
  visit(root)
  return openProof(proof())
}

interface Step {
  slot: number
  cell: number
  kind: 'tree' | 'nothing' | 'unknown'
}

const steps = fc.array(
  fc.uniqueArray(
    fc.record({
      slot: fc.nat(4),
      cell: fc.nat(),
      kind: fc.constantFrom('tree', 'tree', 'tree', 'nothing', 'unknown'),
    }),
    { selector: ({ slot }) => slot, minLength: 1, maxLength: 4 },
  ),
  { minLength: 1, maxLength: 12 },
) as fc.Arbitrary<Step[][]>

const coin = fc.infiniteStream(fc.boolean())

const run = (pool: readonly Cell[], batches: readonly Step[][], toss: () => boolean): void => {
  const { table, rows } = cellTable()
  const slots = new Map<number, { tree: Cell; known: boolean }>()
  for (const batch of batches) {
    const { holds } = knownCells(table)
    const changes = batch.map(({ slot, cell, kind }) => {
      const old = slots.get(slot)
      const before = old ? { data_hash: old.tree.hash(), extra_currencies: [] } : null
      const tree = pool[cell % pool.length]!
      const part = kind === 'tree' ? partOf(tree, holds, toss) : null
      if (part) expect(wholeTree(table, part).hash()).toEqual(tree.hash())
      if (kind === 'nothing') slots.delete(slot)
      else slots.set(slot, { tree, known: kind === 'tree' })
      return {
        before,
        after: { data: part, data_hash: kind === 'nothing' ? null : tree.hash(), extra_currencies: [] },
      }
    })
    changeAccountCells(table, changes, [])
    for (const { tree, known } of slots.values())
      if (known) expect(readTree(table, tree.hash())?.hash()).toEqual(tree.hash())
  }
  const known = [...slots.values()]
  if (known.every((slot) => slot.known))
    expect(stored(rows)).toEqual(shortened(references(known.map(({ tree }) => tree))))
  const gone = { data: null, data_hash: null, extra_currencies: [] }
  const last = known.map(({ tree }) => ({ before: { data_hash: tree.hash(), extra_currencies: [] }, after: gone }))
  changeAccountCells(table, last, [])
  expect(rows.size).toBe(0)
}

test('the table holds the cells of the latest trees and no other, each counted', () => {
  fc.assert(
    fc.property(ordinaryCells, steps, coin, (pool, batches, tosses) => run(pool, batches, () => tosses.next().value)),
    { numRuns: 200 },
  )
}, 30_000)

test('so it is with trees that hold Merkle proofs, pruned branches and libraries of their own', () => {
  fc.assert(
    fc.property(anyCells, steps, coin, (cells, batches, tosses) => {
      const pool = cells.filter(({ level }) => level === 0)
      fc.pre(pool.length > 0)
      run(pool, batches, () => tosses.next().value)
    }),
    { numRuns: 200 },
  )
}, 30_000)

test('a change of one leaf writes the way to it, whatever stands beside', () => {
  const { table, rows } = cellTable()
  const leaf = (i: number): Cell => beginCell().uint(i, 32).endCell()
  const tree = (leaves: readonly Cell[]): Cell =>
    leaves.length === 1
      ? leaves[0]!
      : beginCell()
          .ref(tree(leaves.slice(0, leaves.length / 2)))
          .ref(tree(leaves.slice(leaves.length / 2)))
          .endCell()
  const leaves = Array.from({ length: 4096 }, (_, i) => leaf(i))
  const before = tree(leaves)
  const after = tree(leaves.map((one, i) => (i === 1000 ? leaf(70_000) : one)))
  const big = (data: Cell) => ({ data, data_hash: data.hash(), extra_currencies: [] })
  changeAccountCells(table, [{ before: null, after: big(before) }], [])
  expect(rows.size).toBe(8191)
  let writes = 0
  const counted = {
    ...table,
    putSync: (key: Buffer, value: Buffer) => table.putSync(key, value) && writes++,
    removeSync: (key: Buffer) => table.removeSync(key) && writes++,
  }
  const part = partOf(after, knownCells(table).holds, () => false)
  changeAccountCells(counted, [{ before: big(before), after: { ...big(after), data: part } }], [])
  expect(writes).toBe(26)
  expect(readTree(table, after.hash())!.hash()).toEqual(after.hash())
  expect(rows.size).toBe(8191)
})

test('extra currencies are kept with the account', () => {
  const { table, rows } = cellTable()
  const held = {
    data: null,
    data_hash: null,
    extra_currencies: [
      [100, 5n],
      [4_000_000_000, 1n],
    ] as [number, bigint][],
  }
  const none = { data: null, data_hash: null, extra_currencies: [] }
  changeAccountCells(table, [{ before: null, after: held }], [])
  expect(rows.size).toBe(3)
  changeAccountCells(table, [{ before: held, after: none }], [])
  expect(rows.size).toBe(0)
})

test('a pruned cell that nobody has is a mistake of ours', () => {
  const { table } = cellTable()
  const tree = beginCell().ref(beginCell().uint(1, 8).ref(beginCell().endCell()).endCell()).endCell()
  const { root, proof } = recordProof(tree)
  beginExotic(root)
  const part = openProof(proof())
  expect(failureOf(() => changeTrees(table, { added: [part] }))).toBe('internal')
  expect(failureOf(() => wholeTree(table, part))).toBe('internal')
  expect(failureOf(() => changeTrees(table, { removed: [tree.hash()] }))).toBe('internal')
})
