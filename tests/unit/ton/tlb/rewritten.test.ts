import { expect, test } from 'bun:test'
import { blockToBoc } from '../../../../src/ton/boc-writer.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { recordedZerostate } from '../../../support/recorded-blocks.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { rewriteBlock } from '../../../support/rewrite-block.ts'
import { rewriteState } from '../../../support/rewrite-state.ts'
import { splitStretches } from '../../../support/split-blocks.ts'

const STATE_STEP = 40

const chain = recordedChain()

/** All recorded blocks of both chains, shard by shard. */
const lists = (): { data: Buffer; root: Cell; state: Cell }[][] => {
  const masterchain = Array.from({ length: chain.last }, (_, i) => chain.masterchain(i + 1)!)
  return [masterchain, ...Array.from(chain.shards(0).values(), (blocks) => [...blocks])]
}

test('every recorded block is written to the bytes that it was read from', () => {
  let blocks = 0
  for (const { data, root } of lists().flat()) {
    expect(blockToBoc(rewriteBlock(root)).equals(data)).toBe(true)
    blocks++
  }
  expect(blocks).toBeGreaterThan(1000)
})

test('so are blocks around splits and merges', () => {
  for (const stretch of splitStretches())
    for (const { masterchain, shards } of stretch)
      for (const { root } of [masterchain, ...shards]) expect(rewriteBlock(root).hash()).toEqual(root.hash())
})

test('recorded states are written to the cells that they were read from', () => {
  const states = [recordedZerostate()]
  for (const blocks of lists()) for (let i = 0; i < blocks.length; i += STATE_STEP) states.push(blocks[i]!.state)
  for (const state of states) expect(rewriteState(state).hash()).toEqual(state.hash())
})
