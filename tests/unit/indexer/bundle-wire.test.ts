import { expect, test } from 'bun:test'
import { newBlocks, shardTops } from '../../../src/indexer/new-blocks.ts'
import { type OpenedBlock, openBlock } from '../../../src/indexer/opened-block.ts'
import { parseBatch } from '../../../src/indexer/parse.ts'
import type { Batch } from '../../../src/model/batch.ts'
import { packTransactions } from '../../../src/store/pack-transactions.ts'
import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { Cell } from '../../../src/ton/cell.ts'
import { bundleOf, crossed } from '../../support/bundle-crossing.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

/** Everything that a batch tells, its cells by their hashes. */
const toldBy = (value: unknown): unknown => {
  if (value instanceof Cell) return `cell ${value.hash().toString('hex')} ${value.hash(0).toString('hex')}`
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(toldBy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toldBy(one)]))
}

const told = ({ packed: _, ...batch }: Batch): unknown => toldBy(batch)

test('a bundle that crosses to another thread holds the same blocks, and the batch that is parsed of them', () => {
  const chain = recordedChain()
  let packet = Buffer.alloc(0)
  /** Several blocks stand in one buffer, as they may come over the wire. */
  const open = (id: BlockIdExt): OpenedBlock => {
    const { data } = chain.block(id)!
    if (packet.length < data.length) packet = Buffer.alloc(1 << 20)
    const bytes = packet.subarray(0, data.length)
    bytes.set(data)
    packet = packet.subarray(data.length)
    return openBlock(id, bytes)
  }
  let tops: BlockIdExt[] = []
  for (let seqno = 1; seqno <= chain.last; seqno++) {
    const masterchain = open(chain.masterchain(seqno)!.id)
    const { blocks } = newBlocks(tops, shardTops(masterchain), open)
    tops = shardTops(masterchain)
    const expected = parseBatch(masterchain, blocks)
    const expectedTold = told(expected)
    const packed = toldBy(packTransactions(expected))
    const ids = blocks.map(({ id }) => toldBy(id))
    const bundle = crossed(bundleOf(masterchain, blocks))
    expect(told(bundle.batch!)).toEqual(expectedTold)
    expect(toldBy(bundle.batch!.packed)).toEqual(packed)
    expect(toldBy(bundle.masterchain.id)).toEqual(toldBy(masterchain.id))
    expect(bundle.masterchain.root.hash()).toEqual(masterchain.root.hash())
    expect(bundle.shards.map(({ id }) => toldBy(id))).toEqual(ids)
    expect(told(parseBatch(bundle.masterchain, bundle.shards))).toEqual(expectedTold)
  }
})
