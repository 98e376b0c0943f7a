import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { actionNoter } from '../../../src/indexer/note-actions.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import { pruneOldest } from '../../../src/store/prune.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { keysIn } from '../../../src/store/scan.ts'
import { TABLE_NAMES, type TableName } from '../../../src/store/tables.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { indexFaults } from '../../support/index-check.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

setDefaultTimeout(300_000)

const [FIRST, LAST] = [100, 160]
const upTo = (end: number): number[] => Array.from({ length: end - FIRST }, (_, i) => FIRST + i)
const ALL = upTo(LAST + 1)
const chain = recordedChain()
const batches = new Map(ALL.map((seqno) => [seqno, recordedBatch(chain, seqno)]))

let kept: TemporaryIndex
let pruned: TemporaryIndex
beforeEach(async () => {
  kept = await temporaryIndex()
  pruned = await temporaryIndex()
})
afterEach(async () => {
  await kept.remove()
  await pruned.remove()
})

const fill = ({ index }: TemporaryIndex, seqnos: readonly number[]): void => {
  const note = actionNoter(openIndexReader(index))
  for (const seqno of seqnos)
    writeBatch(index, completedBatch(index, chain, batches.get(seqno)!), joinTraces, 'range', note)
}

const prune = ({ index }: TemporaryIndex, end: number): void => {
  for (const seqno of upTo(end)) expect(pruneOldest(index)).toBe(seqno)
}

const rowsOf = ({ index: { tables } }: TemporaryIndex, name: TableName): string[] =>
  Array.from(
    keysIn(tables[name], {}, 'asc'),
    (key) => `${key.toString('hex')} ${tables[name].get(key)!.toString('hex')}`,
  )

const expectSame = (names: readonly TableName[] = TABLE_NAMES): void => {
  kept.index.environment.renew()
  pruned.index.environment.renew()
  for (const name of names) expect([name, rowsOf(pruned, name)]).toEqual([name, rowsOf(kept, name)])
}

/** How many traces lack their roots. */
const truncated = ({ index: { tables } }: TemporaryIndex): number =>
  Array.from(keysIn(tables.traces, {}, 'asc')).filter((root) => !tables.transactions.doesExist(root)).length

/** Key and bytes of the traces whose roots are stored. */
const wholeTraces = (temporary: TemporaryIndex): string[] =>
  rowsOf(temporary, 'traces').filter((row) =>
    temporary.index.tables.transactions.doesExist(Buffer.from(row.slice(0, row.indexOf(' ')), 'hex')),
  )

const third = (rest: number) => (seqno: number) => seqno % 3 === rest

describe.each([108, 119, 129, 140])('what was pruned below %i comes again', (end) => {
  test.each([
    ['downwards', upTo(end).toReversed()],
    ['upwards', upTo(end)],
    ['in thirds', [2, 0, 1].flatMap((rest) => upTo(end).filter(third(rest)))],
  ] as const)('%s: as if it had never gone', (_, seqnos) => {
    fill(kept, ALL)
    fill(pruned, ALL)
    prune(pruned, end)
    fill(pruned, seqnos)
    expect(indexFaults(pruned.index)).toEqual([])
    expectSame()
  })
})

test.each([
  ['the upper half', upTo(130).slice(15)],
  ['the lower half', upTo(130).slice(0, 15)],
  ['every third', upTo(130).filter(third(1))],
])('%s of what was pruned comes again, is pruned, and all comes again', (_, seqnos) => {
  fill(pruned, ALL)
  prune(pruned, 130)
  fill(pruned, seqnos.toReversed())
  fill(kept, [...seqnos, ...ALL.filter((seqno) => seqno >= 130)])
  pruned.index.environment.renew()
  expect(indexFaults(pruned.index)).toEqual([])
  const expected = new Set(rowsOf(kept, 'traces'))
  expect(wholeTraces(pruned).length).toBeGreaterThan(10)
  expect(wholeTraces(pruned).filter((row) => !expected.has(row))).toEqual([])

  for (const seqno of seqnos) expect(pruneOldest(pruned.index)).toBe(seqno)
  fill(pruned, upTo(130).toReversed())
  fill(kept, upTo(130))
  expect(indexFaults(pruned.index)).toEqual([])
  expectSame(['traces', 'traces_by_end_lt', 'traces_by_mc', 'trace_of', 'trace_txs', 'tx_by_hash', 'msg_by_hash'])
})

test('some traces go on without their roots, and no more once these are there again', () => {
  fill(pruned, ALL)
  const counts = upTo(LAST).map((seqno) => {
    expect(pruneOldest(pruned.index)).toBe(seqno)
    return truncated(pruned)
  })
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(5)
  fill(pruned, upTo(LAST).toReversed())
  expect(truncated(pruned)).toBe(0)
})
