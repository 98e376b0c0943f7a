import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type Builder, beginCell } from '../../../src/ton/builder.ts'
import { type Cell, LIBRARY, MERKLE_PROOF, MERKLE_UPDATE, ORDINARY, PRUNED_BRANCH } from '../../../src/ton/cell.ts'
import { makeCell, withRefs } from '../../../src/ton/data-cell.ts'
import { levelsIn, libraryCell, proofCell, prunedCell, updateCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { maskOf, referenceHash } from '../../support/reference-hash.ts'
import { toTonCore } from '../../support/ton-core.ts'

const MASKS = [1, 2, 3, 4, 5, 6, 7]
/** @ton/core reads a pruned branch as if its mask had no gaps. */
const MASKS_OF_TON_CORE = [1, 3, 7]
const LEVELS = [0, 1, 2, 3]

const sha = (text: string): Buffer => createHash('sha256').update(text).digest()
const pruned = (mask: number): Cell => {
  const n = levelsIn(mask)
  const all = [1, 2, 3].map((i) => sha(`${mask}/${i}`))
  return prunedCell(mask, all.slice(0, n), [11, 22, 33].slice(0, n))
}
const leaf = (value: number): Cell => beginCell().uint(value, 32).endCell()

/** Every level's hash and depth as the definition gives them. */
const checkLevels = (cell: Cell): void => {
  expect(cell.levelMask).toBe(maskOf(cell))
  expect(cell.level).toBe(32 - Math.clz32(cell.levelMask))
  for (const level of LEVELS) {
    const { hash, depth } = referenceHash(cell, level)
    expect(cell.hash(level).toString('hex')).toBe(hash.toString('hex'))
    expect(cell.depth(level)).toBe(depth)
  }
}

const checkAgainstTonCore = (cell: Cell): void => {
  const theirs = toTonCore(cell)
  for (const level of LEVELS) {
    expect(cell.hash(level).toString('hex')).toBe(theirs.hash(level).toString('hex'))
    expect(cell.depth(level)).toBe(theirs.depth(level))
  }
  expect(cell.levelMask).toBe(theirs.mask.value)
}

describe('ordinary cells', () => {
  test('have one hash for all levels', () => {
    const cell = beginCell().uint(5, 7).ref(leaf(1)).ref(leaf(2)).endCell()
    expect(cell.type).toBe(ORDINARY)
    expect(cell.exotic).toBe(false)
    expect(cell.levelMask).toBe(0)
    checkLevels(cell)
    checkAgainstTonCore(cell)
    expect(cell.hash(0)).toEqual(cell.hash())
  })

  test('are one deeper than their deepest child', () => {
    const deep = beginCell()
      .ref(beginCell().ref(leaf(1)).endCell())
      .endCell()
    const cell = beginCell().ref(leaf(1)).ref(deep).endCell()
    expect([leaf(1).depth(), deep.depth(), cell.depth()]).toEqual([0, 2, 3])
  })

  test('have no reference beyond their last', () => {
    for (const i of [-1, 1]) expect(failureOf(() => beginCell().ref(leaf(1)).endCell().ref(i))).toBe('malformed')
  })
})

describe('pruned branches', () => {
  for (const mask of MASKS)
    test(`of level mask ${mask} give the hashes and depths they hold below their level`, () => {
      const cell = pruned(mask)
      expect(cell.type).toBe(PRUNED_BRANCH)
      checkLevels(cell)
      let index = 0
      for (let level = 0; level < 3; level++) {
        if (!(mask & (1 << level))) continue
        const held = index++
        expect(cell.hash(level).toString('hex')).toBe(sha(`${mask}/${index}`).toString('hex'))
        expect(cell.depth(level)).toBe([11, 22, 33][held]!)
      }
      expect(cell.hash().toString('hex')).not.toBe(cell.hash(0).toString('hex'))
      expect(cell.depth()).toBe(0)
    })

  for (const mask of MASKS_OF_TON_CORE)
    test(`of level mask ${mask} are the same for @ton/core`, () => checkAgainstTonCore(pruned(mask)))
})

describe('ordinary cells over pruned branches', () => {
  for (const left of MASKS)
    for (const right of MASKS)
      test(`of masks ${left} and ${right} have both their levels`, () => {
        const cell = beginCell().uint(1, 1).ref(pruned(left)).ref(pruned(right)).ref(leaf(3)).endCell()
        expect(cell.levelMask).toBe(left | right)
        checkLevels(cell)
        if (MASKS_OF_TON_CORE.includes(left) && MASKS_OF_TON_CORE.includes(right)) checkAgainstTonCore(cell)
      })
})

test('library references are of level 0', () => {
  const cell = libraryCell(sha('library'))
  expect(cell.type).toBe(LIBRARY)
  expect(cell.levelMask).toBe(0)
  checkLevels(cell)
  checkAgainstTonCore(cell)
})

describe('Merkle cells', () => {
  for (const mask of MASKS)
    test(`over level mask ${mask} take a level away`, () => {
      const child = beginCell().uint(2, 2).ref(pruned(mask)).endCell()
      const proof = proofCell(child)
      const update = updateCell(child, beginCell().uint(1, 2).ref(pruned(2)).endCell())
      expect([proof.type, update.type]).toEqual([MERKLE_PROOF, MERKLE_UPDATE])
      expect([proof.levelMask, update.levelMask]).toEqual([mask >> 1, (mask | 2) >> 1])
      checkLevels(proof)
      checkLevels(update)
      if (MASKS_OF_TON_CORE.includes(mask)) checkAgainstTonCore(proof)
    })

  test('nest', () => {
    const inner = proofCell(beginCell().ref(pruned(7)).endCell())
    const outer = proofCell(beginCell().ref(inner).ref(pruned(1)).endCell())
    expect([inner.levelMask, outer.levelMask]).toEqual([3, 1])
    checkLevels(outer)
    checkAgainstTonCore(outer)
  })

  test('with another hash or depth than their child has are malformed once they are hashed', () => {
    const child = leaf(1)
    const proof = (hash: Buffer, depth: number): Cell =>
      beginCell().uint(MERKLE_PROOF, 8).bytes(hash).uint(depth, 16).ref(child).endCell(true)
    expect(failureOf(() => proof(child.hash(), 0).hash())).toBe('none')
    expect(failureOf(() => proof(sha('other'), 0).hash())).toBe('malformed')
    expect(failureOf(() => proof(child.hash(), 1).hash())).toBe('malformed')
    const update = (from: Buffer, to: Buffer): Cell =>
      beginCell().uint(MERKLE_UPDATE, 8).bytes(from).bytes(to).uint(0, 32).ref(child).ref(leaf(2)).endCell(true)
    expect(failureOf(() => update(child.hash(), leaf(2).hash()).hash())).toBe('none')
    expect(failureOf(() => update(child.hash(), child.hash()).hash())).toBe('malformed')
    expect(failureOf(() => update(leaf(2).hash(), leaf(2).hash()).hash())).toBe('malformed')
  })

  test('keep the hash of the whole cell at level 0, below which branches are pruned', () => {
    const original = beginCell().ref(leaf(9)).endCell()
    const part = beginCell()
      .ref(prunedCell(1, [leaf(9).hash()], [0]))
      .endCell()
    expect(part.hash(0)).toEqual(original.hash())
    expect(part.hash()).not.toEqual(original.hash())
    expect(proofCell(part).hash(0)).toEqual(proofCell(part).hash())
  })
})

describe('broken exotic cells are malformed', () => {
  const exotic =
    (build: (builder: Builder) => Builder): (() => Cell) =>
    () =>
      build(beginCell()).endCell(true)
  const hash = sha('x')
  const cases: Record<string, () => Cell> = {
    'no type byte': exotic((b) => b.uint(1, 7)),
    'type 0': exotic((b) => b.uint(0, 8)),
    'type 5': exotic((b) => b.uint(5, 8)),
    'type 255': exotic((b) => b.uint(255, 8)),
    'a pruned branch without a mask': exotic((b) => b.uint(1, 8)),
    'a pruned branch of mask 0': exotic((b) => b.uint(1, 8).uint(0, 8)),
    'a pruned branch of mask 8': exotic((b) => b.uint(1, 8).uint(8, 8).bytes(hash).uint(0, 16)),
    'a pruned branch without its depth': exotic((b) => b.uint(1, 8).uint(1, 8).bytes(hash)),
    'a pruned branch with more': exotic((b) => b.uint(1, 8).uint(1, 8).bytes(hash).uint(0, 17)),
    'a pruned branch with one hash for two levels': exotic((b) => b.uint(1, 8).uint(3, 8).bytes(hash).uint(0, 16)),
    'a pruned branch with a child': exotic((b) => b.uint(1, 8).uint(1, 8).bytes(hash).uint(0, 16).ref(leaf(1))),
    'a short library reference': exotic((b) => b.uint(2, 8).bytes(hash.subarray(1))),
    'a long library reference': exotic((b) => b.uint(2, 8).bytes(hash).bit(true)),
    'a library reference with a child': exotic((b) => b.uint(2, 8).bytes(hash).ref(leaf(1))),
    'a Merkle proof without a child': exotic((b) => b.uint(3, 8).bytes(hash).uint(0, 16)),
    'a Merkle proof with two': exotic((b) => b.uint(3, 8).bytes(hash).uint(0, 16).ref(leaf(1)).ref(leaf(1))),
    'a short Merkle proof': exotic((b) => b.uint(3, 8).bytes(hash).uint(0, 15).ref(leaf(1))),
    'a Merkle update with one child': exotic((b) => b.uint(4, 8).bytes(hash).bytes(hash).uint(0, 32).ref(leaf(1))),
    'a short Merkle update': exotic((b) => b.uint(4, 8).bytes(hash).bytes(hash).uint(0, 16).ref(leaf(1)).ref(leaf(1))),
  }
  for (const [name, make] of Object.entries(cases)) test(name, () => expect(failureOf(make)).toBe('malformed'))
})

describe('limits', () => {
  const chain = (length: number, from: Cell): Cell => {
    let cell = from
    for (let i = 0; i < length; i++) cell = beginCell().ref(cell).endCell()
    return cell
  }

  test('a depth of 1024 is the last', () => {
    expect(chain(1024, leaf(0)).depth()).toBe(1024)
    expect(failureOf(() => chain(1025, leaf(0)).hash())).toBe('limit')
  })

  test('the depth that a pruned branch stands for counts', () => {
    const stub = (depth: number): Cell =>
      beginCell()
        .ref(prunedCell(1, [sha('y')], [depth]))
        .endCell()
    expect(stub(1023).depth(0)).toBe(1024)
    expect(failureOf(() => stub(1024).depth(0))).toBe('limit')
  })

  test('1023 bits and four references are the most', () => {
    expect(failureOf(() => makeCell(new Uint8Array(128), 1024))).toBe('limit')
    expect(failureOf(() => makeCell(new Uint8Array(1), 8, Array(5).fill(leaf(1))))).toBe('limit')
  })
})

test('withRefs keeps data and type', () => {
  const cell = beginCell().uint(5, 3).ref(leaf(1)).endCell()
  const other = withRefs(cell, [leaf(2)])
  expect(other.hash()).toEqual(beginCell().uint(5, 3).ref(leaf(2)).endCell().hash())
  expect(failureOf(() => withRefs(proofCell(leaf(1)), [leaf(2)]).hash())).toBe('malformed')
})
