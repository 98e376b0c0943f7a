import { describe, expect, test } from 'bun:test'
import { convertToMerkleProof } from '@ton/core'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { type Cell, MERKLE_PROOF, PRUNED_BRANCH } from '../../../src/ton/cell.ts'
import { applyUpdate, merkleProof, openProof, openProofOf, recordProof, updateHashes } from '../../../src/ton/merkle.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { libraryCell, proofCell, prunedCell, updateCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedBlocks, recordedZerostate } from '../../support/recorded-blocks.ts'
import { toTonCore } from '../../support/ton-core.ts'

const leaf = (value: number): Cell => beginCell().uint(value, 32).endCell()
const node = (value: number, ...children: Cell[]): Cell =>
  children.reduce((b, child) => b.ref(child), beginCell().uint(value, 8)).endCell()
/** What stands for the cell one level of proofs up. */
const stub = (cell: Cell): Cell => prunedCell(1, [cell.hash(0)], [cell.depth(0)])

const deep = node(3, node(4, leaf(5)))
const tree = node(1, node(2, leaf(1), leaf(2)), deep)

describe('a Merkle proof', () => {
  const part = node(1, node(2, leaf(1), leaf(2)), stub(deep))

  test('is the cell that @ton/core makes', () => {
    expect(merkleProof(part).hash().toString('hex')).toBe(convertToMerkleProof(toTonCore(part)).hash().toString('hex'))
  })

  test('opens to a root with the hash of the whole', () => {
    const proof = merkleProof(part)
    expect(proof.type).toBe(MERKLE_PROOF)
    expect(openProof(proof).hash(0)).toEqual(tree.hash())
    expect(openProofOf(proof, tree.hash()).ref(1).hash(0)).toEqual(deep.hash())
  })

  test('does not prove another root', () => {
    expect(failureOf(() => openProofOf(merkleProof(part), deep.hash()))).toBe('proof')
  })

  test('is none when it is another cell', () => {
    for (const cell of [tree, libraryCell(Buffer.alloc(32)), updateCell(tree, tree), stub(tree)])
      expect(failureOf(() => openProof(cell))).toBe('proof')
  })

  test('is none when it names what it does not hold', () => {
    const named = beginCell().uint(MERKLE_PROOF, 8)
    expect(failureOf(() => openProof(named.bytes(tree.hash()).uint(3, 16).ref(deep).endCell(true)))).toBe('proof')
    const wrongDepth = beginCell().uint(MERKLE_PROOF, 8).bytes(tree.hash()).uint(9, 16).ref(tree).endCell(true)
    expect(failureOf(() => openProof(wrongDepth))).toBe('proof')
  })

  test('with any bit of its bag flipped proves nothing else', () => {
    const bag = cellToBoc(merkleProof(part)).subarray(0, -4)
    bag[4]! &= ~0x40
    expect(openProofOf(parseBocRoot(bag), tree.hash()).hash(0)).toEqual(tree.hash())
    let refused = 0
    for (let bit = 0; bit < bag.length * 8; bit++) {
      const copy = Buffer.from(bag)
      copy[bit >> 3]! ^= 128 >> (bit & 7)
      const kind = failureOf(() => openProofOf(parseBocRoot(copy), tree.hash()))
      expect(['proof', 'malformed', 'limit', 'none']).toContain(kind)
      if (kind !== 'none') refused++
      else expect(parseBocRoot(copy).hash()).toEqual(merkleProof(part).hash())
    }
    expect(refused).toBeGreaterThan(bag.length * 7)
  })
})

describe('a recorded proof', () => {
  test('holds what was read and prunes the rest', () => {
    const { root, proof } = recordProof(tree)
    expect(beginParse(beginParse(root).ref()).uint(8)).toBe(2)
    const part = openProofOf(proof(), tree.hash())
    expect(part.ref(0).type).not.toBe(PRUNED_BRANCH)
    expect(part.ref(1).type).toBe(PRUNED_BRANCH)
    expect(part.ref(1).hash(0)).toEqual(deep.hash())
  })

  test('of nothing prunes the root', () => {
    const part = openProofOf(recordProof(tree).proof(), tree.hash())
    expect(part.type).toBe(PRUNED_BRANCH)
  })

  test('does not prune cells without references, which are no longer than their stand-in', () => {
    const { root, proof } = recordProof(tree)
    beginParse(beginParse(root).ref())
    const part = openProof(proof())
    expect([part.ref(0).ref(0).hash(), part.ref(0).ref(1).hash()]).toEqual([leaf(1).hash(), leaf(2).hash()])
  })

  test('grows with what is read after it was asked for', () => {
    const { root, proof } = recordProof(tree)
    beginParse(root)
    expect(openProof(proof()).ref(1).type).toBe(PRUNED_BRANCH)
    beginParse(beginParse(root).preloadRef(1))
    expect(openProof(proof()).ref(1).type).not.toBe(PRUNED_BRANCH)
  })

  test('goes through Merkle cells, each with its own level', () => {
    const inner = merkleProof(node(1, node(2, leaf(1), leaf(2)), stub(deep)))
    const whole = node(7, inner, deep)
    const { root, proof } = recordProof(whole)
    beginParse(root)
    const part = openProofOf(proof(), whole.hash())
    expect(part.ref(0).type).toBe(PRUNED_BRANCH)
    const opened = recordProof(whole)
    beginParse(opened.root).preloadRef(0).touch()
    const open = openProofOf(opened.proof(), whole.hash())
    expect(open.ref(0).type).toBe(MERKLE_PROOF)
    const below = open.ref(0).ref(0)
    expect([below.type, below.levelMask]).toEqual([PRUNED_BRANCH, 3])
    expect(below.hash(0)).toEqual(tree.hash())
    expect(open.hash(0)).toEqual(whole.hash())
  })

  test('of real blocks proves the block', () => {
    let blocks = 0
    for (const block of recordedBlocks()) {
      if (++blocks > 40) break
      const { root, proof } = recordProof(block)
      beginParse(beginParse(beginParse(root).skipRefs(3).ref()).skipRefs(2).ref())
      const part = openProofOf(parseBocRoot(cellToBoc(proof())), block.hash())
      const accounts = beginParse(beginParse(part).skipRefs(3).ref()).skipRefs(2).ref()
      expect(accounts.hash(0)).toEqual(block.ref(3).ref(2).hash())
      expect(accounts.type).not.toBe(PRUNED_BRANCH)
    }
  })
})

describe('a Merkle update', () => {
  const before = node(1, node(2, leaf(1), leaf(2)), deep)
  const after = node(1, node(2, leaf(1), leaf(3)), deep, leaf(9))
  const update = updateCell(
    node(1, node(2, leaf(1), leaf(2)), stub(deep)),
    node(1, node(2, leaf(1), leaf(3)), stub(deep), leaf(9)),
  )

  test('names both hashes', () => {
    expect(updateHashes(update)).toEqual({ old: before.hash(), new: after.hash() })
    expect(failureOf(() => updateHashes(before))).toBe('malformed')
  })

  test('leads from the old state to the new one and shares what is unchanged', () => {
    const result = applyUpdate(before, update)
    expect(result.hash()).toEqual(after.hash())
    expect(result.ref(1) === deep).toBe(true)
  })

  test('starts from its own old state only', () => {
    expect(failureOf(() => applyUpdate(after, update))).toBe('proof')
  })

  test('may not prune what the old state lacks', () => {
    const strange = updateCell(node(1, stub(before.ref(0)), stub(deep)), node(1, stub(leaf(77))))
    expect(failureOf(() => applyUpdate(before, strange))).toBe('proof')
  })

  test('must end where it says', () => {
    const lying = beginCell()
      .uint(4, 8)
      .bytes(before.hash())
      .bytes(leaf(4).hash())
      .uint(before.depth(), 16)
      .uint(0, 16)
      .ref(node(1, stub(before.ref(0)), stub(deep)))
      .ref(leaf(3))
      .endCell(true)
    expect(failureOf(() => applyUpdate(before, lying))).toBe('proof')
  })

  test('may show a cell open in one place and pruned in another', () => {
    const twice = node(2, leaf(1), node(3, leaf(2)))
    for (const order of [0, 1]) {
      const old = order === 0 ? node(1, twice, node(9, twice)) : node(1, node(9, twice), twice)
      const shown = [stub(twice), node(9, node(2, leaf(1), stub(node(3, leaf(2)))))]
      const part = node(1, ...(order === 0 ? shown : shown.toReversed()))
      const next = node(5, node(3, leaf(2)))
      const result = applyUpdate(old, updateCell(part, node(5, stub(node(3, leaf(2))))))
      expect(result.hash()).toEqual(next.hash())
    }
  })

  test('of every masterchain block leads from the zerostate to the last state', () => {
    let state = recordedZerostate()
    let blocks = 0
    for (const block of recordedBlocks()) {
      const update = block.ref(2)
      if (!updateHashes(update).old.equals(state.hash())) continue
      state = applyUpdate(state, update)
      expect(state.hash()).toEqual(updateHashes(update).new)
      blocks++
    }
    expect(blocks).toBe(360)
  })
})

test('nested proofs keep the levels of what they hold', () => {
  const inner = proofCell(node(1, stub(leaf(1))))
  const outer = merkleProof(node(2, inner))
  expect(openProof(outer).ref(0).hash(0)).toEqual(inner.hash(0))
  expect(openProof(openProof(outer).ref(0)).ref(0).hash(0)).toEqual(leaf(1).hash())
})
