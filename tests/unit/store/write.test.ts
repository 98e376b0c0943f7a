import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { scopeOf, selectBatch } from '../../../src/indexer/scope.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import type { Batch } from '../../../src/model/batch.ts'
import { packTransactions } from '../../../src/store/pack-transactions.ts'
import { oldestStored, pruneOldest } from '../../../src/store/prune.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { readRanges } from '../../../src/store/ranges.ts'
import { keysIn } from '../../../src/store/scan.ts'
import { TABLE_NAMES, type TableName } from '../../../src/store/tables.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { failureOf } from '../../support/failure.ts'
import { indexFaults } from '../../support/index-check.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

setDefaultTimeout(120_000)

const chain = recordedChain()
let temporary: TemporaryIndex

beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const write = (batch: Batch): number | undefined =>
  writeBatch(temporary.index, completedBatch(temporary.index, chain, batch), joinTraces)

/** Every row of every table. */
const contents = (): Record<string, string> =>
  Object.fromEntries(
    TABLE_NAMES.map((name: TableName) => {
      const table = temporary.index.tables[name]
      const rows = Array.from(
        keysIn(table, {}, 'asc'),
        (key) => `${key.toString('hex')}=${table.get(key)!.toString('hex')}`,
      )
      return [name, rows.join('\n')]
    }),
  )

describe('a batch for the history of accounts', () => {
  const busy = recordedBatch(chain, 20)
  const { account } = busy.transactions.find((one) => one.account.workchain === 0)!
  const selected = (batch: Batch): Batch => selectBatch(batch, scopeOf([rawAddress(account)]))
  const history = (batch: Batch): number | undefined =>
    writeBatch(temporary.index, completedBatch(temporary.index, chain, selected(batch)), joinTraces, 'history')

  test('does not count as indexed; the blocks of its transactions are there', () => {
    for (let seqno = 30; seqno <= 32; seqno++) write(recordedBatch(chain, seqno))
    const { transactions, blocks } = selected(busy)
    expect(history(busy)).toBe(transactions.length)
    expect(history(busy)).toBeUndefined()
    const reader = openIndexReader(temporary.index)
    expect(reader.ranges()).toEqual([{ first: 30, last: 32 }])
    expect(reader.covers(20)).toBe(false)
    expect(reader.masterchainEnds()?.first.id.seqno).toBe(30)
    expect(reader.shardState(20)).toEqual([])
    const page = { limit: 100, offset: 0, sort: 'asc' } as const
    const holding = new Set(transactions.map(({ block }) => blocks[block]!.id))
    const shown = reader.blocks({ mc_seqno: 20 }, page).records
    const hashes = (ids: readonly Batch['mc'][]): string[] =>
      ids.map(({ root_hash }) => root_hash.toString('hex')).sort()
    const wanted = blocks.map(({ id }) => id).filter((id) => holding.has(id) || id === busy.mc)
    expect(hashes(shown.map(({ id }) => id))).toEqual(hashes(wanted))
    const found = reader.transactions({ mc_seqno: 20 }, page).records
    expect(found.map(({ id }) => id.hash)).toEqual(transactions.map(({ id }) => id.hash))
  })

  test('without anything of them is not written', () => {
    const before = contents()
    const strange = selectBatch(busy, scopeOf([]))
    expect(writeBatch(temporary.index, strange, joinTraces, 'history')).toBeUndefined()
    expect(contents()).toEqual(before)
  })

  test('is completed when the index goes over it, and pruned as the oldest', () => {
    const { index } = temporary
    history(busy)
    const rest = busy.transactions.length - selected(busy).transactions.length
    expect(oldestStored(index.tables)).toBe(20)
    for (let seqno = 30; seqno <= 31; seqno++) write(recordedBatch(chain, seqno))
    expect(pruneOldest(index)).toBe(20)
    expect(readRanges(index.tables)).toEqual([{ first: 30, last: 31 }])
    expect(oldestStored(index.tables)).toBe(30)
    expect(indexFaults(index)).toEqual([])
    history(busy)
    expect(write(busy)).toBe(rest)
    expect(readRanges(index.tables)).toEqual([
      { first: 20, last: 20 },
      { first: 30, last: 31 },
    ])
    expect(openIndexReader(index).shardState(20).length).toBeGreaterThan(0)
    expect(indexFaults(index)).toEqual([])
  })

  test('of another chain is refused', () => {
    history(busy)
    const other = { ...busy.mc, root_hash: Buffer.alloc(32, 1) }
    expect(failureOf(() => write({ ...busy, mc: other }))).toBe('conflict')
  })
})

describe('a batch', () => {
  test('that is stored already changes nothing', () => {
    for (let seqno = 1; seqno <= 40; seqno++) expect(write(recordedBatch(chain, seqno))).toBeNumber()
    const before = contents()
    for (const seqno of [40, 1, 17]) expect(write(recordedBatch(chain, seqno))).toBeUndefined()
    expect(contents()).toEqual(before)
  })

  test('is written whole or not at all, wherever it breaks', () => {
    for (let seqno = 1; seqno <= 30; seqno++) write(recordedBatch(chain, seqno))
    const batch = completedBatch(temporary.index, chain, recordedBatch(chain, 31))
    const before = contents()
    const broken: Partial<Batch>[] = [
      { accounts: [...batch.accounts, { ...batch.accounts[0]!, state_hash: Buffer.alloc(32, 9), balance: -1n }] },
      { transactions: [...batch.transactions, { ...batch.transactions[0]!, now: -1 }] },
      { blocks: batch.blocks.map((block) => ({ ...block, tx_count: -1 })) },
    ]
    for (const change of broken) {
      expect(() => writeBatch(temporary.index, { ...batch, ...change }, joinTraces)).toThrow()
      expect(contents()).toEqual(before)
    }
    const failing = () => {
      throw new Error('the join fails')
    }
    expect(() => writeBatch(temporary.index, batch, failing)).toThrow('the join fails')
    expect(contents()).toEqual(before)
    expect(writeBatch(temporary.index, batch, joinTraces)).toBe(batch.transactions.length)
    for (const { account } of batch.transactions) {
      expect(openIndexReader(temporary.index).accountStates([account]).length).toBe(1)
    }
  })

  test('whose transactions were packed in another thread gives the same rows, also after a failure and out of order', async () => {
    const seqnos = [28, 29, 30, 24, 25, 26, 27, 31, 20]
    for (const seqno of seqnos) write(recordedBatch(chain, seqno))
    const expected = contents()
    await temporary.remove()
    temporary = await temporaryIndex()
    const fails = (): never => {
      throw new Error('the disk is full')
    }
    for (const seqno of seqnos) {
      const batch = recordedBatch(chain, seqno)
      const packed = structuredClone(packTransactions(batch))
      const whole = completedBatch(temporary.index, chain, { ...batch, packed })
      expect(() => writeBatch(temporary.index, whole, joinTraces, 'range', undefined, fails)).toThrow(
        'the disk is full',
      )
      expect(writeBatch(temporary.index, whole, joinTraces)).toBe(batch.transactions.length)
    }
    expect(contents()).toEqual(expected)
    expect(indexFaults(temporary.index)).toEqual([])
  })

  test('of another chain is refused, from below and from above', () => {
    write(recordedBatch(chain, 10))
    const next = recordedBatch(chain, 11)
    const strange = { ...next.mc, root_hash: Buffer.alloc(32, 1) }
    const from = (prev: Batch['mc']): Batch => ({
      ...next,
      blocks: next.blocks.map((block) => (block.id.workchain === -1 ? { ...block, prev: [prev] } : block)),
    })
    expect(failureOf(() => write(from(strange)))).toBe('conflict')
    expect(() => write(from(strange))).toThrow('does not follow')
    expect(write(next)).toBe(next.transactions.length)

    const below = recordedBatch(chain, 9)
    const other = { ...below.mc, file_hash: Buffer.alloc(32, 2) }
    const swapped: Batch = {
      ...below,
      mc: other,
      blocks: below.blocks.map((block) => (block.id.workchain === -1 ? { ...block, id: other } : block)),
    }
    expect(failureOf(() => write(swapped))).toBe('conflict')
    expect(write(below)).toBe(below.transactions.length)

    const again: Batch = { ...swapped, mc: other }
    expect(failureOf(() => write(again))).toBe('conflict')
    expect(readRanges(temporary.index.tables)).toEqual([{ first: 9, last: 11 }])
  })
})

test('ranges grow, meet, and keep their gaps', () => {
  for (const seqno of [50, 52, 51, 60, 48, 59]) write(recordedBatch(chain, seqno))
  expect(readRanges(temporary.index.tables)).toEqual([
    { first: 48, last: 48 },
    { first: 50, last: 52 },
    { first: 59, last: 60 },
  ])
  write(recordedBatch(chain, 49))
  expect(readRanges(temporary.index.tables)[0]).toEqual({ first: 48, last: 52 })
})
