import { expect, test } from 'bun:test'
import { newBlocks, shardTops } from '../../../src/indexer/new-blocks.ts'
import { parseBatch } from '../../../src/indexer/parse.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { blockIdText, sameBlock } from '../../../src/ton/block-id.ts'
import { parseHashUpdate, parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { splitStretches } from '../../support/split-blocks.ts'
import { traceMemory } from '../../support/trace-memory.ts'

const stretches = splitStretches()

test('over splits, merges and three blocks of a shard at once the walk finds what was recorded', () => {
  const met = { after_split: 0, after_merge: 0, three: 0 }
  for (const stretch of stretches) {
    stretch.slice(1).forEach(({ masterchain, shards }, i) => {
      const before = shardTops(stretch[i]!.masterchain)
      const fetched = new Set<string>()
      const find = (all: boolean) =>
        newBlocks(before, shardTops(masterchain), (id) =>
          all || fetched.has(blockIdText(id)) ? shards.find((shard) => sameBlock(shard.id, id)) : undefined,
        )
      const { blocks, missing } = find(true)
      expect(missing).toEqual([])
      const texts = blocks.map(({ id }) => blockIdText(id))
      expect(texts.toSorted()).toEqual(shards.map(({ id }) => blockIdText(id)).sort())
      for (let rounds = 0; ; rounds++) {
        const step = find(false)
        if (step.missing.length === 0) {
          expect(step.blocks.map(({ id }) => blockIdText(id))).toEqual(texts)
          break
        }
        expect(rounds).toBeLessThan(5)
        for (const id of step.missing) fetched.add(blockIdText(id))
      }
      for (const { info } of blocks) {
        if (info.after_split) met.after_split++
        if (info.after_merge) met.after_merge++
      }
      if (blocks.some(({ id }) => blocks.filter((other) => other.id.shard === id.shard).length >= 3)) met.three++
    })
  }
  expect(met).toEqual({ after_split: 4, after_merge: 2, three: 1 })
})

test('the last of several blocks says how an account ends', () => {
  let several = 0
  for (const { masterchain, shards } of stretches.flat()) {
    const batch = parseBatch(masterchain, shards.toReversed())
    const places = new Map<string, Set<number>>()
    const ends = new Map<string, Buffer>()
    for (const { account, block, cell } of batch.transactions) {
      const name = rawAddress(account)
      places.set(name, (places.get(name) ?? new Set()).add(block))
      ends.set(name, parseHashUpdate(parseTransaction(cell).state_update).new_hash)
    }
    for (const { address, state_hash } of batch.accounts) {
      expect(state_hash).toEqual(ends.get(rawAddress(address))!)
      if (places.get(rawAddress(address))!.size > 1) several++
    }
  }
  expect(several).toBeGreaterThan(0)
})

test('traces over splits and merges are the same from both ends', () => {
  for (const stretch of stretches) {
    const batches = stretch.map(({ masterchain, shards }) => parseBatch(masterchain, shards))
    const [forth, back] = [batches, batches.toReversed()].map((order) => {
      const memory = traceMemory()
      for (const batch of order) memory.add(batch)
      return [...memory.traces.values()].sort((a, b) => Number(a.root - b.root))
    })
    expect(back!).toEqual(forth!)
  }
})
