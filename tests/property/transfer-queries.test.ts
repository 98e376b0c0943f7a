import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { BatchTransfer } from '../../src/model/entities.ts'
import type { Listed, Page, SortOrder, TransactionRecord } from '../../src/model/index-records.ts'
import { pruneOldest } from '../../src/store/prune.ts'
import type { EntityReader } from '../../src/store/queries/entity-reader.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { anyAddress, someTransfer } from '../support/entity-arbitrary.ts'
import { indexFaults } from '../support/index-check.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { completedBatch } from '../support/recorded-index.ts'
import { temporaryIndex } from '../support/temporary-index.ts'
import { createTransferOracle, type TransferOracle } from '../support/transfer-oracle.ts'

/** Random transfers of recorded transactions, and random queries against arrays and filters. */

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 8)
/** Queries of each method before and after pruning. */
const QUERIES = 40

setDefaultTimeout(600_000)

const [FIRST, LAST] = [100, 130]
const chain = recordedChain()
const batches = Array.from({ length: LAST - FIRST + 1 }, (_, i) => recordedBatch(chain, FIRST + i))
const transactions = batches.flatMap((batch) => batch.transactions)

const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const transaction = fc.constantFrom(...transactions)
const accounts = some(
  fc.array(
    transaction.map(({ account }) => account),
    { maxLength: 5 },
  ),
)
const bounds = {
  start_utime: some(transaction.map(({ now }) => now)),
  end_utime: some(transaction.map(({ now }) => now)),
  start_lt: some(transaction.map(({ id }) => id.lt)),
  end_lt: some(transaction.map(({ id }) => id.lt)),
}
const owned = { owner_addresses: some(fc.array(anyAddress, { maxLength: 4 })), ...bounds }
const direction = some(fc.constantFrom('in' as const, 'out' as const))

const page = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(30) }),
  sort: fc.constantFrom<SortOrder>('asc', 'desc'),
})

interface Shown {
  transaction: TransactionRecord
  parent: Address | null
}

const nameOf = (hash: Buffer, parent: Address | null): string =>
  `${hash.toString('hex')} ${parent ? rawAddress(parent) : 'none'}`

/** One page, and those behind it by their cursors up to the end, as the oracle's list has them. */
const expectPages = <T>(
  list: (page: Page) => Listed<T>,
  shown: (record: T) => Shown,
  expected: ReturnType<TransferOracle['nftTransfers']>,
  asked: Page,
): void => {
  const found: string[] = []
  for (let at: Page | undefined = asked; at; ) {
    const { records, next }: Listed<T> = list(at)
    found.push(...records.map(shown).map(({ transaction, parent }) => nameOf(transaction.id.hash, parent)))
    at = next ? { ...asked, offset: 0, after: next } : undefined
  }
  const wanted = expected.map(({ transaction, parent }) => nameOf(transaction.id.hash, parent))
  expect(found).toEqual(wanted.slice(asked.offset))
}

type Check = (reader: EntityReader, oracle: TransferOracle, page: Page) => void

const queries: fc.Arbitrary<Check>[] = [
  fc
    .record({ ...owned, direction, jetton_wallets: accounts, jetton_master: some(anyAddress) })
    .map((filter) => (reader, oracle, at) => {
      const list = (p: Page) => reader.jettonTransfers(filter, p)
      expectPages(
        list,
        ({ transaction, jetton_master: parent }) => ({ transaction, parent }),
        oracle.jettonTransfers(filter, at.sort),
        at,
      )
    }),
  fc
    .record({ ...owned, jetton_wallets: accounts, jetton_master: some(anyAddress) })
    .map((filter) => (reader, oracle, at) => {
      const list = (p: Page) => reader.jettonBurns(filter, p)
      expectPages(
        list,
        ({ transaction, jetton_master: parent }) => ({ transaction, parent }),
        oracle.jettonBurns(filter, at.sort),
        at,
      )
    }),
  fc
    .record({ ...owned, direction, item_addresses: accounts, collection_address: some(anyAddress) })
    .map((filter) => (reader, oracle, at) => {
      const list = (p: Page) => reader.nftTransfers(filter, p)
      expectPages(
        list,
        ({ transaction, nft_collection: parent }) => ({ transaction, parent }),
        oracle.nftTransfers(filter, at.sort),
        at,
      )
    }),
]

const asked = fc.tuple(
  ...queries.map((query) => fc.array(fc.tuple(query, page), { minLength: QUERIES, maxLength: QUERIES })),
)

/** Most transactions of a batch move something. */
const transfersOf = ({ transactions }: Batch): fc.Arbitrary<BatchTransfer[]> =>
  fc
    .tuple(...transactions.map(({ account }, i) => fc.option(someTransfer(i, account), { freq: 3 })))
    .map((transfers) => transfers.filter((transfer) => transfer !== null))

test('transfers agree with arrays and filters, also where the oldest are pruned', async () => {
  const moved = fc.tuple(...batches.map(transfersOf))
  await fc.assert(
    fc.asyncProperty(moved, asked, asked, fc.integer({ min: 1, max: 20 }), async (transfers, before, after, pruned) => {
      const filled = batches.map((batch, i) => ({ ...batch, transfers: transfers[i]! }))
      const temporary = await temporaryIndex()
      const { index } = temporary
      try {
        for (const batch of filled) {
          writeBatch(index, completedBatch(index, chain, batch), joinTraces)
        }
        const reader = openIndexReader(index)
        const check = (oracle: TransferOracle, checks: typeof before): void =>
          reader.snapshot(() => {
            for (const [query, at] of checks.flat()) query(reader, oracle, at)
          })
        check(createTransferOracle(filled), before)
        expect(indexFaults(index)).toEqual([])
        for (let i = 0; i < pruned; i++) pruneOldest(index)
        check(createTransferOracle(filled.slice(pruned)), after)
        expect(indexFaults(index)).toEqual([])
      } finally {
        await temporary.remove()
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
