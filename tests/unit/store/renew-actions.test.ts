import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { joinTraces } from '../../../src/indexer/trace.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { renewActions, settleRules } from '../../../src/store/renew-actions.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { madeActions } from '../../support/action-arbitrary.ts'
import { indexFaults } from '../../support/index-check.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

setDefaultTimeout(60_000)

const chain = recordedChain()
const PAGE = { limit: 10_000, offset: 0, sort: 'asc' } as const

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const fill = (first: number, last: number, { note }: ReturnType<typeof madeActions>): void => {
  const { index } = temporary
  for (let seqno = first; seqno <= last; seqno++)
    writeBatch(index, completedBatch(index, chain, recordedBatch(chain, seqno)), joinTraces, 'range', note)
}

const shown = (): string[] => {
  const reader = openIndexReader(temporary.index)
  return reader.snapshot(() => reader.actions({}, PAGE).records.map(({ id }) => id.toString('hex')))
}

test('a new index has nothing to be noted again', () => {
  const { index } = temporary
  settleRules(index, 1)
  fill(100, 105, madeActions(1))
  expect(renewActions(index, madeActions(2).note)).toBe(false)
})

test('other rules make all of it anew, piece by piece, while more comes', () => {
  const { index } = temporary
  const other = madeActions(2)
  settleRules(index, 1)
  fill(100, 130, madeActions(1))
  const before = shown()
  settleRules(index, 2)
  let steps = 0
  while (renewActions(index, other.note)) {
    if (steps++ === 0) fill(131, 135, other)
    settleRules(index, 2)
    expect(indexFaults(index)).toEqual([])
  }
  expect(steps).toBeGreaterThan(1)
  const after = shown()
  expect(before.filter((id) => after.includes(id))).toEqual([])
  expect(renewActions(index, madeActions(3).note)).toBe(false)
  expect(shown()).toEqual(after)
})
