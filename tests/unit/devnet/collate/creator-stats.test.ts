import { describe, expect, test } from 'bun:test'
import { countCreators } from '../../../../src/devnet/collate/creator-stats.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { creatorStats } from '../../../../src/ton/tlb/mc-state-extra.ts'

const [ALL, ANN, BOB] = [0, 1, 2].map((byte) => Buffer.alloc(32, byte))
const totals = (counters: Cell | null): Record<number, [mc: bigint, shard: bigint]> =>
  Object.fromEntries(
    [...creatorStats({ _: 'block_create_stats', counters, extra: null })].map(([key, { mc_blocks, shard_blocks }]) => [
      key[0]!,
      [mc_blocks.total, shard_blocks.total],
    ]),
  )

describe('the statistics of validators', () => {
  test('count who made what, and all of it under the key of zeros', () => {
    const first = countCreators(null, ANN!, [ANN!, BOB!, BOB!], 100)
    expect(totals(first)).toEqual({ 0: [1n, 3n], 1: [1n, 1n], 2: [0n, 2n] })
    expect(totals(countCreators(first, BOB!, [], 101))).toEqual({ 0: [2n, 3n], 1: [1n, 1n], 2: [1n, 2n] })
  })

  test('do not count blocks of nobody', () => {
    expect(countCreators(null, ALL!, [ALL!], 100)).toBeNull()
    expect(totals(countCreators(null, ALL!, [ANN!], 100))).toEqual({ 0: [0n, 1n], 1: [0n, 1n] })
  })

  test('forget who has made nothing for a month', () => {
    const first = countCreators(null, ANN!, [], 100)
    expect(totals(countCreators(first, BOB!, [], 100 + 46 * 65536))).toEqual({ 0: [2n, 0n], 2: [1n, 0n] })
  })
})
