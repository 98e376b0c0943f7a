import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import { noteScope } from '../../../../src/store/index-scope.ts'
import { ltSince, ltUntil, SLACK_SECONDS } from '../../../../src/store/queries/lt-of-time.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

const chain = recordedChain()
/** With a gap behind the eightieth: shards split and merge on both sides of it. */
const SEQNOS = Array.from({ length: 200 }, (_, i) => i + 1).filter((seqno) => seqno <= 80 || seqno > 90)
const batches = SEQNOS.map((seqno) => recordedBatch(chain, seqno))
const blocks = batches.flatMap((batch) => batch.blocks.map(({ info }) => ({ ...info, mc_seqno: batch.mc.seqno })))
const timeOf = new Map(batches.map(({ mc, gen_utime }) => [mc.seqno, gen_utime]))
const [first, last] = [timeOf.get(1)!, timeOf.get(200)!]

let temporary: TemporaryIndex
beforeAll(async () => {
  temporary = await temporaryIndex()
  const { index } = temporary
  for (const batch of batches) writeBatch(index, completedBatch(index, chain, batch), joinTraces)
}, 60_000)
afterAll(() => temporary.remove())

const lowest = (lts: readonly bigint[]): bigint =>
  lts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0] ?? 2n ** 64n - 1n

const lowestSince = (utime: number): bigint =>
  lowest(blocks.filter(({ gen_utime }) => gen_utime >= utime).map(({ start_lt }) => start_lt))

const highestUntil = (utime: number): bigint =>
  -lowest(blocks.filter(({ gen_utime }) => gen_utime <= utime).map(({ end_lt }) => -end_lt))

test('a time is the lt of the block that goes farthest, as long as that block and the next gap are known to be far', () => {
  const { tables } = temporary.index
  let told = 0
  fc.assert(
    fc.property(fc.integer({ min: first - 5, max: last + 5 }), (utime) => {
      const [since, until] = [ltSince(tables, utime), ltUntil(tables, utime)]
      if (since !== undefined) {
        told++
        expect(since).toBe(lowestSince(utime))
      }
      if (until !== undefined) {
        told++
        expect(until).toBe(highestUntil(utime))
      }
    }),
    { numRuns: 300 },
  )
  expect(told).toBeGreaterThan(50)
})

test('nothing is told of what may have happened in a gap or may still follow', () => {
  const { tables } = temporary.index
  const [before, behind] = [timeOf.get(80)!, timeOf.get(91)!]
  expect(ltUntil(tables, before)).toBeUndefined()
  expect(ltSince(tables, behind)).toBeUndefined()
  if (before - first > SLACK_SECONDS) expect(ltUntil(tables, before - SLACK_SECONDS - 1)).toBeDefined()
  expect(ltUntil(tables, last)).toBeUndefined()
  expect(ltSince(tables, last + 1)).toBe(2n ** 64n - 1n)
})

test('an index of chosen accounts tells nothing', () => {
  const { tables } = temporary.index
  noteScope(temporary.index, ['some'])
  temporary.index.environment.renew()
  expect(ltSince(tables, first)).toBeUndefined()
  expect(ltUntil(tables, first + 1)).toBeUndefined()
  noteScope(temporary.index, undefined)
})
