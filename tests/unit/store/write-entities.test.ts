import { afterEach, beforeEach, expect, test } from 'bun:test'
import { joinTraces } from '../../../src/indexer/trace.ts'
import type { DetectedAccount, Entity } from '../../../src/model/entities.ts'
import { entityFaults, transferFaults } from '../../../src/store/entity-check.ts'
import { storedKinds } from '../../../src/store/entity-rows.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { firstKey } from '../../../src/store/scan.ts'
import { storedAccount } from '../../../src/store/stored-account.ts'
import { NO_VALUE } from '../../../src/store/tables.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { writeEntities } from '../../../src/store/write-entities.ts'
import type { Address } from '../../../src/ton/address.ts'
import { madeHash } from '../../support/made-batch.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

const made = (name: string): Address => ({ workchain: 0, hash: madeHash(name) })
const [item, sale, seller] = [made('item'), made('sale'), made('seller')]
const page = { limit: 10, offset: 0, sort: 'asc' } as const

const detected = (address: Address, ...entities: Entity[]): DetectedAccount => ({
  address,
  last_transaction_lt: 1n,
  code_hash: null,
  data_hash: null,
  entities,
})

const itemOf = (owner_address: Address): Entity => ({
  _: 'nft_item',
  init: true,
  index: 1n,
  collection_address: null,
  owner_address,
  content: { _: 'offchain', uri: '' },
})

const saleOf = (nft_address: Address): Entity => ({
  _: 'getgems_sale',
  is_complete: false,
  created_at: 1,
  marketplace_address: null,
  nft_address,
  nft_owner_address: seller,
  full_price: 1n,
  marketplace_fee_address: null,
  marketplace_fee: 0n,
  royalty_address: null,
  royalty_amount: 0n,
})

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const write = (...accounts: DetectedAccount[]): void => {
  const { index } = temporary
  index.environment.transaction(() => writeEntities(index, accounts))
}

/** Items that `owner` has, and those that he sells too. */
const itemsOf = (owner: Address): [number, number] => {
  const reader = openIndexReader(temporary.index)
  const [own, sold] = [false, true].map((include_on_sale) =>
    reader.snapshot(() => reader.nftItems({ owner_addresses: [owner], include_on_sale }, page).records.length),
  )
  return [own!, sold!]
}

test('the seller of an item is known, whichever of item and sale comes first', () => {
  for (const order of [
    [detected(item, itemOf(sale)), detected(sale, saleOf(item))],
    [detected(sale, saleOf(item)), detected(item, itemOf(sale))],
  ]) {
    for (const one of order) write(one)
    expect(itemsOf(seller)).toEqual([0, 1])
    expect(itemsOf(sale)).toEqual([1, 0])
    expect([...entityFaults(temporary.index)]).toEqual([])
    write(detected(sale))
    expect(itemsOf(seller)).toEqual([0, 0])
    expect(itemsOf(sale)).toEqual([1, 1])
    write(detected(item))
    expect(itemsOf(sale)).toEqual([0, 0])
    expect([...entityFaults(temporary.index)]).toEqual([])
  }
  const { tables } = temporary.index
  expect(tables.entities.getCount() + tables.entity_kinds.getCount() + tables.entity_lists.getCount()).toBe(0)
})

test('a sale holds only the item that it names and owns', () => {
  write(detected(item, itemOf(sale)), detected(sale, saleOf(made('another item'))))
  expect(itemsOf(seller)).toEqual([0, 0])
  expect(itemsOf(sale)).toEqual([1, 1])
  write(detected(sale, saleOf(item)), detected(item, itemOf(made('buyer'))))
  expect(itemsOf(seller)).toEqual([0, 0])
  expect(itemsOf(made('buyer'))).toEqual([1, 1])
})

test('what is older than the stored state of an account changes nothing', () => {
  const { index } = temporary
  const chain = recordedChain()
  const batch = completedBatch(index, chain, recordedBatch(chain, 100))
  const { address, last_transaction } = batch.accounts[0]!
  const now = { ...detected(address, saleOf(item)), last_transaction_lt: last_transaction.lt }
  writeBatch(index, { ...batch, detected: [now] }, joinTraces)
  write({ ...detected(address, itemOf(seller)), last_transaction_lt: last_transaction.lt - 1n })
  expect(storedKinds(index, address)).toEqual(['getgems_sale'])
  write({ ...detected(address, itemOf(seller)), last_transaction_lt: last_transaction.lt })
  expect(storedKinds(index, address)).toEqual(['nft_item'])
})

test('a stored account is read with the cells of its code and data', () => {
  const { index } = temporary
  const chain = recordedChain()
  let withData = 0
  for (let seqno = 100; seqno < 110; seqno++) {
    const batch = completedBatch(index, chain, recordedBatch(chain, seqno))
    writeBatch(index, batch, joinTraces)
    for (const account of batch.accounts) {
      const found = storedAccount(index, account.address)
      expect(found?.state_hash).toEqual(account.state_hash)
      expect(found?.code?.hash() ?? null).toEqual(account.code_hash)
      expect(found?.data?.hash() ?? null).toEqual(account.data_hash)
      if (found?.data) withData++
    }
  }
  expect(withData).toBeGreaterThan(0)
  expect(storedAccount(index, seller)).toBeUndefined()
})

test('a check of the whole tells rows and entries that do not fit', () => {
  const { index } = temporary
  const { tables, environment } = index
  write(detected(item, itemOf(sale)), detected(sale, saleOf(item)))
  const entry = firstKey(tables.entity_lists, {}, 'asc')!
  environment.transaction(() => tables.entity_lists.removeSync(entry))
  expect([...entityFaults(index)]).toHaveLength(1)
  environment.transaction(() => {
    tables.entity_lists.putSync(entry, NO_VALUE)
    tables.entity_lists.putSync(Buffer.concat([entry, entry]), NO_VALUE)
  })
  expect([...entityFaults(index)]).toEqual(['entity_lists has 1 entries too many'])
  expect([...transferFaults(index)]).toEqual([])
  environment.transaction(() => tables.transfers.putSync(Buffer.alloc(7), Buffer.alloc(17)))
  expect([...transferFaults(index)]).toHaveLength(1)
})
