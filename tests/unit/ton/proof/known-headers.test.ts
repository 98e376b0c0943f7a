import { expect, test } from 'bun:test'
import { cellToBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { merkleProof, prunedBranch } from '../../../../src/ton/merkle.ts'
import { createKnownHeaders } from '../../../../src/ton/proof/known-headers.ts'

const leaf = (value: number): Cell => beginCell().uint(value, 40).endCell()
const rootOf = (value: number): Cell => beginCell().uint(1, 1).ref(leaf(value)).ref(leaf(2)).endCell()
const HASH = Buffer.alloc(32, 7)

const known = (proof: Cell) => {
  const headers = createKnownHeaders<{ boc: string }>(4)
  headers.put(HASH, proof, (copy) => ({ boc: cellToBoc(copy).toString('hex') }))
  return headers
}

test('the same cells give what was read, from a copy of them', () => {
  const proof = merkleProof(rootOf(1))
  expect(known(proof).get(HASH, merkleProof(rootOf(1)))).toEqual({ boc: cellToBoc(proof).toString('hex') })
})

test('any other proof of the same block is unknown, and so is one of another block', () => {
  const headers = known(merkleProof(rootOf(1)))
  expect(headers.get(HASH, merkleProof(rootOf(3)))).toBeUndefined()
  const root = beginCell()
    .uint(1, 1)
    .ref(prunedBranch(leaf(1), 0))
    .ref(leaf(2))
    .endCell()
  expect(headers.get(HASH, merkleProof(root))).toBeUndefined()
  expect(headers.get(Buffer.alloc(32, 8), merkleProof(rootOf(1)))).toBeUndefined()
})

test('a proof of many cells is not kept, be they many only as often as they are referred to', () => {
  let root = leaf(1)
  for (let i = 0; i < 200; i++) root = beginCell().uint(i, 8).ref(root).ref(root).endCell()
  const headers = known(merkleProof(root))
  expect(headers.get(HASH, merkleProof(root))).toBeUndefined()
})
