import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { type Builder, beginCell } from '../../src/ton/builder.ts'
import { type Cell, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { withRefs } from '../../src/ton/data-cell.ts'
import { applyUpdate, openProof, openProofOf, recordProof } from '../../src/ton/merkle.ts'
import { anyCells, ordinaryCell, ordinaryCells } from '../support/cell-arbitrary.ts'
import { prunedCell, updateCell } from '../support/exotic-cells.ts'
import { failureOf } from '../support/failure.ts'
import { toTonCore } from '../support/ton-core.ts'

/** Opens some of the cells below: at every reference the next number decides whether to go there. */
const readSome = (root: Cell, choices: readonly number[]): Set<string> => {
  const opened = new Set<string>()
  let next = 0
  const visit = (cell: Cell, left: number): void => {
    cell.touch()
    opened.add(cell.hash().toString('hex'))
    for (let i = 0; i < cell.refCount && left > 0; i++)
      if (choices[next++ % choices.length]! > 0) visit(cell.ref(i), left - 1)
  }
  visit(root, 12)
  return opened
}

const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 30 })

/** Every cell of the part is one that was opened, or stands for the cell in its place. */
const checkPart = (part: Cell, whole: Cell, opened: ReadonlySet<string>): void => {
  expect(part.hash(0).toString('hex')).toBe(whole.hash().toString('hex'))
  expect(part.depth(0)).toBe(whole.depth())
  if (part.type === PRUNED_BRANCH) return
  if (part.refCount > 0) expect(opened.has(whole.hash().toString('hex'))).toBe(true)
  for (let i = 0; i < part.refCount; i++) checkPart(part.ref(i), whole.ref(i), opened)
}

describe('recorded proofs', () => {
  test('hold what was opened and prove the whole, also through a bag', () => {
    fc.assert(
      fc.property(ordinaryCell, choices, (whole, picks) => {
        const { root, proof } = recordProof(whole)
        const opened = readSome(root, picks)
        const made = proof()
        const read = parseBocRoot(cellToBoc(made))
        expect(read.hash()).toEqual(made.hash())
        expect(toTonCore(made).hash()).toEqual(made.hash())
        if (whole.depth() <= 8) checkPart(openProofOf(read, whole.hash()), whole, opened)
        readSome(openProof(read), [0])
      }),
      { numRuns: 300 },
    )
  })

  test('of graphs with Merkle cells and pruned branches of their own prove them too', () => {
    const closed = anyCells
      .map((cells) => cells.findLast((cell) => cell.level === 0))
      .filter((cell) => cell !== undefined)
    fc.assert(
      fc.property(closed, choices, (whole, picks) => {
        const { root, proof } = recordProof(whole)
        readSome(root, picks)
        expect(openProofOf(parseBocRoot(cellToBoc(proof())), whole.hash()).hash(0)).toEqual(whole.hash())
      }),
      { numRuns: 500 },
    )
  })
})

const stub = (cell: Cell): Cell => prunedCell(1, [cell.hash(0)], [cell.depth(0)])

/** The tree with stand-ins where `pruned` says so; the root stays. */
const pruneWhere = (root: Cell, pruned: (cell: Cell) => boolean): Cell => {
  const made = new Map<string, Cell>()
  const visit = (cell: Cell, top: boolean): Cell => {
    const key = cell.hash().toString('hex')
    const done = made.get(key)
    if (done) return done
    const result = !top && pruned(cell) ? stub(cell) : withRefs(cell, children(cell))
    made.set(key, result)
    return result
  }
  const children = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => visit(cell.ref(i), false))
  return visit(root, true)
}

const below = (root: Cell): Set<string> => {
  const all = new Set<string>()
  const visit = (cell: Cell): void => {
    const key = cell.hash().toString('hex')
    if (all.has(key)) return
    all.add(key)
    for (let i = 0; i < cell.refCount; i++) visit(cell.ref(i))
  }
  visit(root)
  return all
}

/** Two states over common cells, and an update that prunes some of what they share. */
const states = fc
  .record({
    cells: ordinaryCells,
    old: fc.array(fc.nat(), { maxLength: 4 }),
    next: fc.array(fc.nat(), { maxLength: 4 }),
  })
  .map(({ cells, old, next }) => {
    const over = (picks: readonly number[], tag: number): Cell =>
      picks.reduce((b: Builder, i) => b.ref(cells[i % cells.length]!), beginCell().uint(tag, 8)).endCell()
    return { from: over(old, 1), to: over(next, 2) }
  })

describe('Merkle updates', () => {
  test('lead from one state to the other', () => {
    fc.assert(
      fc.property(states, choices, ({ from, to }, picks) => {
        const shared = below(from)
        const known = below(to)
        let next = 0
        const some = new Map<string, boolean>()
        const pick = (key: string): boolean => {
          const decided = some.get(key) ?? picks[next++ % picks.length]! > 1
          some.set(key, decided)
          return decided
        }
        const newPart = pruneWhere(
          to,
          (cell) => shared.has(cell.hash().toString('hex')) && pick(cell.hash().toString('hex')),
        )
        const oldPart = pruneWhere(
          from,
          (cell) => !known.has(cell.hash().toString('hex')) && !Array.from(below(cell)).some((key) => known.has(key)),
        )
        const update = parseBocRoot(cellToBoc(updateCell(oldPart, newPart)))
        const result = applyUpdate(from, update)
        expect(result.hash()).toEqual(to.hash())
        if (!from.hash().equals(to.hash())) expect(failureOf(() => applyUpdate(to, update))).toBe('proof')
      }),
      { numRuns: 300 },
    )
  })

  test('with a bit flipped never give another state', () => {
    fc.assert(
      fc.property(states, fc.nat(), ({ from, to }, at) => {
        const bag = Buffer.from(cellToBoc(updateCell(from, to))).subarray(0, -4)
        bag[4]! &= ~0x40
        bag[(at >> 3) % bag.length]! ^= 1 << (at & 7)
        const kind = failureOf(() => {
          const update = parseBocRoot(bag)
          expect(applyUpdate(from, update).hash()).toEqual(to.hash())
        })
        expect(['proof', 'malformed', 'limit', 'none']).toContain(kind)
      }),
      { numRuns: 1000 },
    )
  })
})
