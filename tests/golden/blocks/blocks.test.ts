import { expect, test } from 'bun:test'
import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { prevBlockIds } from '../../../src/ton/tlb/block-info.ts'
import { shardOf } from '../../../src/ton/tlb/shard-ident.ts'
import { type Counts, countsText } from '../../support/counts.ts'
import { recordedBlocks, recordedZerostate } from '../../support/recorded-blocks.ts'
import { walkBlock } from '../../support/walk-block.ts'
import { walkShardState } from '../../support/walk-state.ts'

const keyOf = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): string =>
  `${workchain}:${shard}:${seqno}`

test('every block of the recorded network parses to its last leaf, and its predecessors are the recorded ones', () => {
  const counts: Counts = new Map()
  const hashes = new Map<string, string>()
  let linked = 0
  for (const root of recordedBlocks()) {
    const info = walkBlock(root, counts)
    const id = { workchain: info.shard.workchain_id, shard: shardOf(info.shard), seqno: info.seq_no }
    hashes.set(keyOf(id), root.hash().toString('hex'))
    for (const prev of prevBlockIds(info)) {
      if (prev.seqno === 0) continue
      expect(hashes.get(keyOf(prev))).toBe(prev.root_hash.toString('hex'))
      linked++
    }
    expect(parseBlock(root).global_id).toBe(-217)
  }
  expect(linked).toBeGreaterThan(1000)
  expect(counts.get('blocks')).toBe(1010)
  expect(counts.get('transactions')).toBe(3862)
  console.log(`recorded network: ${countsText(counts)}`)
})

test('the masterchain zerostate parses to its last leaf', () => {
  const counts: Counts = new Map()
  walkShardState(recordedZerostate(), counts)
  expect(counts.get('accounts in states')).toBeGreaterThan(3)
  expect(counts.get('configuration parameters')).toBeGreaterThan(20)
})
