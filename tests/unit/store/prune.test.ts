import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { actionNoter } from '../../../src/indexer/note-actions.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import { pruneOldest } from '../../../src/store/prune.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { readRanges } from '../../../src/store/ranges.ts'
import { keysIn } from '../../../src/store/scan.ts'
import { TABLE_NAMES } from '../../../src/store/tables.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { indexFaults } from '../../support/index-check.ts'
import { createOracle } from '../../support/index-oracle.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

setDefaultTimeout(600_000)

const [FIRST, LAST, KEPT_FROM] = [100, 260, 170]

let temporary: TemporaryIndex
const chain = recordedChain()
const batches = Array.from({ length: LAST - FIRST + 1 }, (_, i) => recordedBatch(chain, FIRST + i))

beforeAll(async () => {
  temporary = await temporaryIndex()
  const { index } = temporary
  const note = actionNoter(openIndexReader(index))
  for (const batch of batches) writeBatch(index, completedBatch(index, chain, batch), joinTraces, 'range', note)
})

afterAll(() => temporary.remove())

const all = { limit: 100_000, offset: 0, sort: 'asc' } as const

test('a filled index is sound', () => {
  expect(temporary.index.tables.actions.getCount()).toBeGreaterThan(100)
  expect(indexFaults(temporary.index)).toEqual([])
})

test('what is younger stays as it was', () => {
  const { index } = temporary
  const reader = openIndexReader(index)
  const before = reader.transactions({}, all).records
  for (let seqno = FIRST; seqno < KEPT_FROM; seqno++) expect(pruneOldest(index)).toBe(seqno)
  expect(readRanges(index.tables)).toEqual([{ first: KEPT_FROM, last: LAST }])
  expect(indexFaults(index)).toEqual([])

  const oracle = createOracle(batches.filter(({ mc }) => mc.seqno >= KEPT_FROM))
  const after = reader.transactions({}, all).records
  expect(after.length).toBe(oracle.transactions.length)
  expect(after.map(({ id, trace_id }) => [id.hash, trace_id])).toEqual(
    before.filter(({ mc_seqno }) => mc_seqno >= KEPT_FROM).map(({ id, trace_id }) => [id.hash, trace_id]),
  )
  expect(reader.blocks({}, all).records.map(({ id }) => id)).toEqual(oracle.listBlocks({}, 'asc').map(({ id }) => id))
  expect(reader.messages({}, all).records.map(({ cell }) => cell.hash())).toEqual(
    oracle.listMessages({}, 'asc').map(({ message }) => message.hash),
  )
  for (const { trace_id } of after) {
    expect(reader.traces({ trace_ids: [trace_id] }, all).records.map(({ root_hash }) => root_hash)).toEqual([trace_id])
  }
  for (const { state_hash } of oracle.latest) expect(reader.stateByHash(state_hash)).toBeDefined()
})

test('nothing but addresses, codes and latest states is left in the end', () => {
  const { index } = temporary
  const reader = openIndexReader(index)
  const latest = createOracle(batches).latest
  const states = reader.accountStates(latest.map(({ address }) => address))
  while (pruneOldest(index) !== undefined);
  const filled = TABLE_NAMES.filter((name) => [...keysIn(index.tables[name], {}, 'asc')].length > 0)
  expect(filled.sort()).toEqual(
    [
      'account_cells',
      'account_states',
      'accounts',
      'accounts_by_balance',
      'address_ids',
      'addresses',
      'codes',
      'meta',
    ].sort() as typeof filled,
  )
  expect([...keysIn(index.tables.account_states, {}, 'asc')].length).toBeLessThanOrEqual(latest.length)
  expect(reader.accountStates(latest.map(({ address }) => address))).toEqual(states)
})
