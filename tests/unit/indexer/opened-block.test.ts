import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { openBlock } from '../../../src/indexer/opened-block.ts'
import { sameBlock } from '../../../src/ton/block-id.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const block = recordedChain().masterchain(40)!
const other = recordedChain().masterchain(41)!
const fileHash = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')

test('a block with its own id opens, and knows the one before', () => {
  const opened = openBlock(other.id, other.data)
  expect(opened.info.seq_no).toBe(41)
  expect(opened.prev.map((id) => sameBlock(id, block.id))).toEqual([true])
  expect(opened.root.hash()).toEqual(other.id.root_hash)
})

test('bytes of another block are refused, whichever part of the id they fit', () => {
  const changed = Buffer.from(block.data)
  changed[changed.length - 1]! ^= 1
  expect(failureOf(() => openBlock(block.id, other.data))).toBe('proof')
  expect(failureOf(() => openBlock(block.id, changed))).toBe('proof')
  expect(failureOf(() => openBlock(block.id, block.data.subarray(0, -1)))).toBe('proof')
  expect(failureOf(() => openBlock({ ...block.id, root_hash: other.id.root_hash }, block.data))).toBe('proof')
  expect(failureOf(() => openBlock({ ...block.id, file_hash: other.id.file_hash }, block.data))).toBe('proof')
  for (const wrong of [{ seqno: 41 }, { workchain: 0 }, { shard: 1n << 62n }])
    expect(failureOf(() => openBlock({ ...block.id, ...wrong }, block.data))).toBe('proof')
})

test('bytes with the right file hash that hold no block are malformed', () => {
  const noBag = Buffer.from('no bag of cells')
  expect(failureOf(() => openBlock({ ...block.id, file_hash: fileHash(noBag) }, noBag))).toBe('malformed')
  const cell = beginCell().uint(1, 32).endCell()
  const bag = cellToBoc(cell)
  const id = { ...block.id, root_hash: cell.hash(), file_hash: fileHash(bag) }
  expect(failureOf(() => openBlock(id, bag))).toBe('malformed')
})
