import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { Cell } from '../../../src/ton/cell.ts'
import { withRefs } from '../../../src/ton/data-cell.ts'
import { key32 } from '../../../src/ton/dictionary.ts'
import { updateDict } from '../../../src/ton/dictionary-update.ts'
import { applyUpdate } from '../../../src/ton/merkle.ts'
import { makeUpdate } from '../../../src/ton/merkle-update.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { anyCells, ordinaryCells } from '../../support/cell-arbitrary.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

/** Makes the update, sends it through a bag of cells and applies it. */
const expectApplies = (before: Cell, after: Cell): Cell => {
  const update = makeUpdate(before, after)
  expect(update.level).toBe(0)
  expect(applyUpdate(before, parseBocRoot(cellToBoc(update))).hash()).toEqual(after.hash())
  return update
}

/** A cell that tells of every look below it. */
class WatchedCell extends Cell {
  private readonly inner: Cell
  private readonly seen: Set<string>

  constructor(inner: Cell, seen: Set<string>) {
    super(inner.bytes, inner.start, inner.bits, inner.refCount, inner.type, inner.levelMask)
    this.inner = inner
    this.seen = seen
  }

  ref(i: number): Cell {
    this.seen.add(this.inner.hash().toString('hex'))
    return new WatchedCell(this.inner.ref(i), this.seen)
  }

  hash(level?: number): Buffer {
    return this.inner.hash(level)
  }

  depth(level?: number): number {
    return this.inner.depth(level)
  }
}

test('updates of recorded states apply, and are about as large as the ones that the validator made', () => {
  const chain = recordedChain()
  const pairs: [before: Cell, block: { root: Cell; state: Cell }][] = []
  for (let seqno = 2; seqno <= chain.last; seqno += 11)
    pairs.push([chain.masterchain(seqno - 1)!.state, chain.masterchain(seqno)!])
  for (const blocks of chain.shards(0).values())
    for (let i = 1; i < blocks.length; i += 11) pairs.push([blocks[i - 1]!.state, blocks[i]!])
  let [ours, theirs] = [0, 0]
  for (const [before, { root, state }] of pairs) {
    ours += cellToBoc(expectApplies(before, state)).length
    theirs += cellToBoc(parseBlock(root).state_update).length
  }
  console.log(`Merkle updates of ${pairs.length} states: ${ours} bytes, of the validator ${theirs}`)
  expect(ours).toBeLessThan(theirs * 1.1)
})

const among = (cells: fc.Arbitrary<Cell[]>): fc.Arbitrary<[Cell, Cell]> =>
  fc
    .tuple(cells, fc.nat(), fc.nat())
    .map(([made, a, b]): [Cell, Cell] => [made[a % made.length]!, made[b % made.length]!])

test('any tree is made from any other that shares some of its cells', () => {
  fc.assert(fc.property(among(ordinaryCells), ([before, after]) => void expectApplies(before, after)))
})

test('trees with libraries, Merkle cells and pruned branches inside of them, too', () => {
  fc.assert(
    fc.property(among(anyCells), ([before, after]) => {
      fc.pre(before.level === 0 && after.level === 0)
      expectApplies(before, after)
    }),
    { numRuns: 500 },
  )
})

test('states in which one place deep inside has changed', () => {
  const replaced = (cell: Cell, path: readonly number[]): Cell => {
    const [step, ...rest] = path
    if (step === undefined || cell.refCount === 0) return beginCell().uint(path.length, 8).ref(cell).endCell()
    const refs = Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
    const at = step % refs.length
    return withRefs(cell, refs.with(at, replaced(refs[at]!, rest)))
  }
  const { state } = recordedChain().masterchain(recordedChain().last)!
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 20 }), (path) => {
      const after = replaced(state, path)
      fc.pre(after.level === 0 && after.depth() <= 512)
      const size = cellToBoc(expectApplies(state, after)).length
      expect(size).toBeLessThan(cellToBoc(state).length / 2)
    }),
    { numRuns: 50 },
  )
})

test('the cost follows the change, not the size of the trees', () => {
  const entry = (n: number, value: number) => ({
    key: key32(n * 2654435761),
    store: (builder: { uint(v: number, bits: number): unknown }) => builder.uint(value, 32),
  })
  const before = updateDict(
    null,
    Array.from({ length: 5000 }, (_, i) => entry(i, i)),
    32,
  )!
  const after = updateDict(before, [entry(17, 1), entry(6000, 2), { ...entry(40, 0), store: null }], 32)!
  const seen = new Set<string>()
  const update = makeUpdate(new WatchedCell(before, seen), new WatchedCell(after, seen))
  expect(applyUpdate(before, update).hash()).toEqual(after.hash())
  expect(seen.size).toBeLessThan(250)
})

test('a cell below one that both trees share, and elsewhere in the new tree', () => {
  const over = (salt: number, ...refs: Cell[]): Cell => {
    const builder = beginCell().uint(salt, 8)
    for (const ref of refs) builder.ref(ref)
    return builder.endCell()
  }
  const below = over(1, over(2, over(3)))
  const moved = over(4, below)
  expectApplies(over(5, over(6, moved)), over(7, moved, over(8, below)))
})
