import { expect, test } from 'bun:test'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { recordedBlocks } from '../../support/recorded-blocks.ts'
import { ourReading, tonCoreReading } from '../../support/ton-core-transaction.ts'

test('every transaction and message of the recorded network reads as @ton/core reads it', () => {
  let compared = 0
  for (const root of recordedBlocks()) {
    for (const { cell } of blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks)) {
      expect(ourReading(cell)).toEqual(tonCoreReading(cell))
      compared++
    }
  }
  expect(compared).toBe(3862)
})
