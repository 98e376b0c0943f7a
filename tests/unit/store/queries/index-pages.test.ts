import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { finish, type Steps } from '../../../../src/common/steps.ts'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import type { Listed } from '../../../../src/model/index-records.ts'
import type { Table } from '../../../../src/store/environment.ts'
import { pruneOldest } from '../../../../src/store/prune.ts'
import { CELL_COST, TURN_ROWS } from '../../../../src/store/queries/budget.ts'
import { type IndexPages, openIndexPages } from '../../../../src/store/queries/index-pages.ts'
import type { Pages } from '../../../../src/store/queries/paging.ts'
import type { Source } from '../../../../src/store/queries/transaction-rows.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { Cell } from '../../../../src/ton/cell.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

setDefaultTimeout(600_000)

const HASHES = 1000
const PIECE = 25
/** Cells of transactions that one step may read, with those of the records that it gives and their other sides. */
const MOST_READS = TURN_ROWS / CELL_COST + 4 * PIECE
const LAST = 260

let temporary: TemporaryIndex
const chain = recordedChain()
const batches = Array.from({ length: LAST }, (_, i) => recordedBatch(chain, i + 1))
const transactions = batches.flatMap((batch) => batch.transactions)
const messages = transactions.flatMap(({ in_msg, out_msgs }) => [...(in_msg ? [in_msg] : []), ...out_msgs])
const some = (hashes: readonly Buffer[]): Buffer[] =>
  Array.from({ length: HASHES }, (_, i) => hashes[i % hashes.length]!)

let reads = 0
let counted: Source

beforeAll(async () => {
  temporary = await temporaryIndex()
  const { index } = temporary
  for (const batch of batches) writeBatch(index, completedBatch(index, chain, batch), joinTraces)
  const cells: Pick<Table, 'getBinaryFast'> = {
    getBinaryFast: (key) => {
      reads++
      return index.tables.tx_cells.getBinaryFast(key)
    },
  }
  counted = {
    addresses: index.addresses,
    tables: {
      ...index.tables,
      /** Another table each time: cells are remembered by table, and here each of them is to be read. */
      get tx_cells() {
        return { ...index.tables.tx_cells, ...cells }
      },
    },
  }
})

afterAll(() => temporary.remove())

const LISTS: Record<string, (pages: IndexPages) => Pages<unknown>> = {
  messages: (pages) => pages.messages({ hashes: some(messages.map(({ hash }) => hash)) }, 'asc'),
  'messages that fit nothing else': (pages) =>
    pages.messages({ hashes: some(messages.map(({ hash }) => hash)), opcode: 1 }, 'desc'),
  'transactions by message': (pages) =>
    pages.transactionsByMessage({ msg_hashes: some(messages.map(({ hash }) => hash)) }, 'asc'),
  transactions: (pages) => pages.transactions({ hashes: some(transactions.map(({ id }) => id.hash)) }, 'asc'),
  'traces by message': (pages) => pages.traces({ msg_hashes: some(messages.map(({ hash }) => hash)) }, 'asc'),
  'traces by transaction': (pages) => pages.traces({ tx_hashes: some(transactions.map(({ id }) => id.hash)) }, 'asc'),
  'a filter that nothing fits': (pages) => pages.messages({ start_utime: 1, opcode: 0, direction: 'out' }, 'asc'),
}

/** Records as text, cells by their hash. */
const told = (records: readonly unknown[]): string =>
  JSON.stringify(records, (_, value: unknown) =>
    value instanceof Cell ? value.hash().toString('hex') : typeof value === 'bigint' ? `${value}` : value,
  )

/** The whole list in pages of a few records, and how many cells each step of them read. */
const walked = (pages: Pages<unknown>, between: () => void = () => {}): { records: unknown[]; steps: number[] } => {
  const [records, steps]: [unknown[], number[]] = [[], []]
  for (let after: Buffer | undefined; ; ) {
    const page: Steps<Listed<unknown>> = pages({ limit: PIECE, offset: 0, after })
    for (;;) {
      reads = 0
      const step = page.next()
      steps.push(reads)
      between()
      if (!step.done) continue
      records.push(...step.value.records)
      if (!step.value.next) return { records, steps }
      after = step.value.next
      break
    }
  }
}

test.each(Object.entries(LISTS))('no step reads more cells than a turn is given: %s', (_, listOf) => {
  const { records, steps } = walked(listOf(openIndexPages(counted)))
  expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_READS)
  const whole = finish(listOf(openIndexPages(temporary.index))({ limit: 100_000, offset: 0 }))
  expect(told(records)).toBe(told(whole.records))
})

test.each(Object.entries(LISTS))('what hashes lead to is read once for all pages: %s', (_, listOf) => {
  const { records, steps } = walked(listOf(openIndexPages(counted)))
  const sum = steps.reduce((all, each) => all + each, 0)
  expect(sum).toBeLessThanOrEqual(2 * messages.length + 8 * records.length + 2 * HASHES)
})

test('what is pruned between two steps is left out', () => {
  const { index } = temporary
  const lists = Object.values(LISTS).map((listOf) => listOf(openIndexPages(index)))
  const first = lists.map((pages) => {
    const page = pages({ limit: PIECE, offset: 0 })
    page.next()
    return page
  })
  for (let i = 0; i < 100; i++) pruneOldest(index)
  for (const page of first) expect(() => finish(page)).not.toThrow()
  for (const pages of lists) expect(() => walked(pages, () => pruneOldest(index))).not.toThrow()
})
