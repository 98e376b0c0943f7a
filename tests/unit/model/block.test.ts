import { describe, expect, test } from 'bun:test'
import { blockHeaderOf } from '../../../src/model/block.ts'
import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockInfo } from '../../../src/ton/tlb/block-info.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

describe('block headers', () => {
  test('name blocks of the chain as previous ones, and seqnos and times that only grow', () => {
    const timeOf = (id: BlockIdExt): number => {
      if (id.seqno > 0) return parseBlockInfo(parseBlock(recordedChain().block(id)!.root).info).gen_utime
      expect(recordedChain().zerostate(id.workchain)?.id).toEqual(id)
      return 0
    }
    let seen = 0
    for (const workchain of [0, -1])
      for (const [, blocks] of recordedChain().shards(workchain))
        for (const { id, root } of blocks) {
          if (id.seqno === 0) continue
          const block = parseBlock(root)
          const header = blockHeaderOf(id, block, parseBlockInfo(block.info))
          expect(header.id).toEqual(id)
          expect(header.global_id).toBe(-217)
          expect(header.start_lt < header.end_lt).toBe(true)
          expect(header.prev_blocks.length).toBe(header.after_merge ? 2 : 1)
          for (const prev of header.prev_blocks) {
            expect(prev.seqno).toBe(id.seqno - 1)
            expect(timeOf(prev)).toBeLessThanOrEqual(header.gen_utime)
          }
          seen++
        }
    expect(seen).toBe(1010)
  })
})
