import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { DetectedAccount } from '../../src/model/entities.ts'
import type { EntityRecord } from '../../src/model/entity-records.ts'
import type { Listed, Page, SortOrder } from '../../src/model/index-records.ts'
import { addressIdOf } from '../../src/store/addresses.ts'
import { ENTITY_KINDS } from '../../src/store/entity-codec.ts'
import { storedEntity } from '../../src/store/entity-rows.ts'
import type { EntityReader } from '../../src/store/queries/entity-reader.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeEntities } from '../../src/store/write-entities.ts'
import type { Address } from '../../src/ton/address.ts'
import { anyAddress, someDetected } from '../support/entity-arbitrary.ts'
import { createEntityOracle, type EntityOracle } from '../support/entity-oracle.ts'
import { indexFaults } from '../support/index-check.ts'
import { type TemporaryIndex, temporaryIndex } from '../support/temporary-index.ts'

/** Random entities, replaced and closed, and random queries against arrays and filters. */

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 60)
/** Queries of each method after each batch. */
const QUERIES = 12

setDefaultTimeout(600_000)

const lists = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.array(anyAddress, { maxLength: 4 }) },
)
const yes = fc.oneof(fc.constant(undefined), fc.boolean())
const indexes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.array(fc.bigInt({ min: -3n, max: 5n }), { maxLength: 4 }) },
)

const page = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
  sort: fc.constantFrom<SortOrder>('asc', 'desc'),
})

/** One page, and those behind it by their cursors up to the end, as the oracle's list has them. */
const expectPages = <T extends { address: Address }>(
  list: (page: Page) => Listed<T>,
  expected: readonly { address: Address }[],
  asked: Page,
): void => {
  const wanted = expected.slice(asked.offset).map(({ address }) => address)
  const found: Address[] = []
  let at = asked
  for (;;) {
    const { records, next } = list(at)
    found.push(...records.map(({ address }) => address))
    if (!next) break
    expect(records.length).toBe(asked.limit)
    at = { ...asked, offset: 0, after: next }
  }
  expect(found).toEqual(wanted)
}

type Check = (reader: EntityReader, oracle: EntityOracle, page: Page) => void

/** A query of one method with a random filter. */
const queries: Record<string, fc.Arbitrary<Check>> = {
  jettonMasters: fc
    .record({ addresses: lists, admin_addresses: lists })
    .map(
      (filter) => (reader, oracle, at) =>
        expectPages((p) => reader.jettonMasters(filter, p), oracle.masters(filter), at),
    ),
  jettonWallets: fc
    .record({
      addresses: lists,
      owner_addresses: lists,
      jetton_addresses: lists,
      exclude_zero_balance: yes,
      by_balance: yes,
    })
    .map(
      (filter) => (reader, oracle, at) =>
        expectPages((p) => reader.jettonWallets(filter, p), oracle.wallets(filter, at.sort), at),
    ),
  nftCollections: fc
    .record({ addresses: lists, owner_addresses: lists })
    .map(
      (filter) => (reader, oracle, at) =>
        expectPages((p) => reader.nftCollections(filter, p), oracle.collections(filter), at),
    ),
  nftItems: fc
    .record({
      addresses: lists,
      owner_addresses: lists,
      collection_addresses: lists,
      indexes,
      include_on_sale: yes,
      by_last_transaction_lt: yes,
    })
    .filter(({ addresses, collection_addresses, indexes }) =>
      Boolean(addresses?.length || collection_addresses?.length || !indexes?.length),
    )
    .map((filter) => (reader, oracle, at) => expectPages((p) => reader.nftItems(filter, p), oracle.items(filter), at)),
  dnsRecords: fc
    .oneof(
      fc.record({ wallet: anyAddress }),
      fc.record({ domain: fc.constantFrom('a.ton', 'ä.ton', 'aa.ton', 'none.ton', `${'x'.repeat(300)}.ton`) }),
    )
    .map((filter) => (reader, oracle, at) => {
      expectPages((p) => reader.dnsRecords(filter, p), oracle.names(filter), at)
      if ('domain' in filter) return
      const { wallet } = filter
      const own = oracle.names(filter).filter(({ entity }) => entity.nft_item_owner?.hash.equals(wallet.hash))
      expect(reader.domainOf(wallet)).toBe(own[0]?.entity.domain)
    }),
  multisigs: fc
    .record({ addresses: lists, wallet_addresses: lists })
    .map(
      (filter) => (reader, oracle, at) =>
        expectPages((p) => reader.multisigs(filter, p), oracle.multisigs(filter, at.sort), at),
    ),
  multisigOrders: fc
    .record({ addresses: lists, multisig_addresses: lists })
    .map(
      (filter) => (reader, oracle, at) =>
        expectPages((p) => reader.multisigOrders(filter, p), oracle.orders(filter, at.sort), at),
    ),
  vestings: fc
    .record({ contract_addresses: lists, wallet_addresses: lists, check_whitelist: yes })
    .map(
      (filter) => (reader, oracle, at) => expectPages((p) => reader.vestings(filter, p), oracle.vestings(filter), at),
    ),
}

const asked = fc.tuple(
  ...Object.values(queries).map((query) => fc.array(fc.tuple(query, page), { minLength: QUERIES, maxLength: QUERIES })),
)
const batches = fc.array(
  fc.tuple(
    fc.uniqueArray(someDetected, {
      minLength: 1,
      maxLength: 12,
      selector: ({ address }) => address.hash.toString('hex'),
    }),
    asked,
  ),
  { minLength: 1, maxLength: 4 },
)

/** Rows as they were written, and what the reader tells of them. */
const checkRows = (
  { index }: TemporaryIndex,
  reader: EntityReader,
  oracle: EntityOracle,
  written: DetectedAccount[],
): void => {
  for (const { address } of written) {
    expect(reader.entityKinds(address).toSorted()).toEqual(oracle.kinds(address).toSorted())
  }
  for (const kind of ENTITY_KINDS) {
    const addresses = written.map(({ address }) => address)
    const wanted = oracle.entities(kind, addresses)
    expect(reader.entities(kind, [...addresses, ...addresses])).toEqual(wanted)
    for (const record of wanted) expect(storedEntity(index, kind, record.address)).toEqual(record)
  }
  for (const record of reader.nftItems({}, { limit: 1_000, offset: 0, sort: 'asc' }).records) {
    const { collection, sale, ...item } = record
    expect(sale ?? undefined).toEqual(oracle.saleOf(item))
    const parent = item.entity.collection_address
    const [wanted] = parent ? oracle.entities('nft_collection', [parent]) : []
    expect(collection ?? undefined).toEqual(wanted satisfies EntityRecord<'nft_collection'> | undefined)
  }
}

test('what accounts are agrees with arrays and filters, however it is replaced and closed', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (steps) => {
      const temporary = await temporaryIndex()
      const { index } = temporary
      try {
        const oracle = createEntityOracle(addressIdOf(index.addresses))
        const reader = openIndexReader(index)
        for (const [detected, checks] of steps) {
          index.environment.transaction(() => writeEntities(index, detected))
          for (const account of detected) oracle.write(account)
          reader.snapshot(() => {
            checkRows(temporary, reader, oracle, detected)
            for (const [check, at] of checks.flat()) check(reader, oracle, at)
          })
          expect(indexFaults(index)).toEqual([])
        }
      } finally {
        await temporary.remove()
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
