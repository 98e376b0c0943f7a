import { expect, test } from 'bun:test'
import { createExecutor } from '../../src/tvm/executor.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { recordedLines } from '../support/recorded-lines.ts'
import { type Difference, replayChain } from '../support/replayed-transactions.ts'

/** The transactions that real validators made on this chain, made anew from the states that they had before. */

test('every transaction of the recorded chain comes out the same', async () => {
  const differences: Difference[] = []
  const count = await replayChain(await createExecutor(), recordedChain(), (difference) => differences.push(difference))
  expect(differences).toEqual([])
  expect(count).toBe(recordedLines('transactions.jsonl').length)
}, 180_000)
