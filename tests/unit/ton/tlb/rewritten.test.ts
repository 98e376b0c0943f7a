import { expect, test } from 'bun:test'
import { recordedBlocks, recordedZerostate } from '../../../support/recorded-blocks.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { rewriteBlock } from '../../../support/rewrite-block.ts'
import { rewriteState } from '../../../support/rewrite-state.ts'
import { splitStretches } from '../../../support/split-blocks.ts'

const STATE_STEP = 40

test('every recorded block is written to the cells that it was read from', () => {
  let blocks = 0
  for (const root of recordedBlocks()) {
    expect(rewriteBlock(root).hash()).toEqual(root.hash())
    blocks++
  }
  for (const stretch of splitStretches())
    for (const { masterchain, shards } of stretch)
      for (const { root } of [masterchain, ...shards]) {
        expect(rewriteBlock(root).hash()).toEqual(root.hash())
        blocks++
      }
  expect(blocks).toBeGreaterThan(1000)
})

test('recorded states are written to the cells that they were read from', () => {
  const chain = recordedChain()
  const states = [recordedZerostate()]
  for (let seqno = 1; seqno <= chain.last; seqno += STATE_STEP) states.push(chain.masterchain(seqno)!.state)
  for (const blocks of chain.shards(0).values())
    for (let i = 0; i < blocks.length; i += STATE_STEP) states.push(blocks[i]!.state)
  for (const state of states) expect(rewriteState(state).hash()).toEqual(state.hash())
})
