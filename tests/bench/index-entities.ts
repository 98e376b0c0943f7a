import { createHash } from 'node:crypto'
import type { Batch, BatchTransaction } from '../../src/model/batch.ts'
import type { BatchTransfer, DetectedAccount, Entity } from '../../src/model/entities.ts'
import type { Page } from '../../src/model/index-records.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'

/**
 * What accounts are, made up for the samples: each account owns wallets of up to JETTONS jettons, and every batch mints
 * items of COLLECTIONS collections to some of them. Every fifth transaction is a transfer.
 */
const JETTONS = 200
const COLLECTIONS = 20
const OWNERS_PER_BATCH = 40
const TRANSFER_EVERY = 5

const made = (...parts: readonly (string | number)[]): Address => ({
  workchain: 0,
  hash: createHash('sha256').update(parts.join()).digest(),
})

const jetton = (seqno: number): Address => made('jetton', seqno % JETTONS)
const collection = (n: number): Address => made('collection', n % COLLECTIONS)

const detected = (lt: bigint, address: Address, entity: Entity): DetectedAccount => ({
  address,
  last_transaction_lt: lt,
  code_hash: made(entity._, 'code').hash,
  data_hash: address.hash,
  entities: [entity],
})

const walletOf = (owner: Address, seqno: number, lt: bigint): DetectedAccount =>
  detected(lt, made('wallet', rawAddress(owner), seqno % JETTONS), {
    _: 'jetton_wallet',
    balance: (lt * 7919n) % 1_000_000_000n,
    owner,
    jetton: jetton(seqno),
    mintless_is_claimed: null,
  })

const itemOf = (owner: Address, seqno: number, n: number, lt: bigint): DetectedAccount =>
  detected(lt, made('item', seqno, n), {
    _: 'nft_item',
    init: true,
    index: BigInt(seqno * OWNERS_PER_BATCH + n),
    collection_address: collection(n),
    owner_address: owner,
    content: { _: 'offchain', uri: `https://example.org/${seqno}/${n}.json` },
  })

const collectionAt = (n: number, lt: bigint): DetectedAccount =>
  detected(lt, collection(n), {
    _: 'nft_collection',
    next_item_index: -1n,
    owner_address: null,
    collection_content: { _: 'offchain', uri: `https://example.org/${n}.json` },
  })

const transferAt = (transactions: readonly BatchTransaction[], at: number, seqno: number): BatchTransfer => ({
  _: 'jetton_transfer',
  transaction: at,
  aborted: false,
  source: transactions[at - 1]!.account,
  destination: transactions[at - 2]!.account,
  jetton_wallet: transactions[at]!.account,
  jetton_master: jetton(seqno),
})

/** A batch with entities and transfers. */
export const withEntities = (batch: Batch): Batch => {
  const { transactions, accounts } = batch
  const { seqno } = batch.mc
  const lt = transactions.at(-1)?.id.lt ?? 0n
  const owners = Array.from(
    { length: Math.min(OWNERS_PER_BATCH, accounts.length) },
    (_, n) => accounts[(seqno * 31 + n * 7) % accounts.length]!.address,
  )
  return {
    ...batch,
    detected: [
      ...owners.flatMap((owner, n) => [walletOf(owner, seqno, lt), itemOf(owner, seqno, n, lt)]),
      ...Array.from({ length: seqno === 1 ? COLLECTIONS : 0 }, (_, n) => collectionAt(n, lt)),
    ],
    transfers: transactions.flatMap((_, at) =>
      at % TRANSFER_EVERY === TRANSFER_EVERY - 1 ? transferAt(transactions, at, seqno) : [],
    ),
  }
}

/** Queries of lists of entities and transfers, of owners from batches of withEntities. */
export const entityQuestions = (
  reader: IndexReader,
  owners: readonly Address[],
  page: Page,
): [string, (i: number) => unknown][] => {
  const owner = (i: number): Address => owners[(i * 7919) % owners.length]!
  return [
    ['jetton wallets of an owner', (i) => reader.jettonWallets({ owner_addresses: [owner(i)] }, page)],
    [
      'jetton wallets of a jetton by balance',
      (i) => reader.jettonWallets({ jetton_addresses: [jetton(i)], by_balance: true }, page),
    ],
    ['jetton transfers of an owner', (i) => reader.jettonTransfers({ owner_addresses: [owner(i)] }, page)],
    ['jetton transfers of a jetton', (i) => reader.jettonTransfers({ jetton_master: jetton(i) }, page)],
    ['NFT items of an owner', (i) => reader.nftItems({ owner_addresses: [owner(i)] }, page)],
    ['NFT items of a collection', (i) => reader.nftItems({ collection_addresses: [collection(i)] }, page)],
  ]
}
