import type { NftItemRecord } from '../../../model/entity-records.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { NFT_COLLECTIONS, NFT_ITEMS, NFT_SALES, NFT_TRANSFERS } from '../entity-schemas.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import {
  address,
  addresses,
  flag,
  indexes,
  PAGE,
  PAGE_ONLY,
  refusal,
  requiredList,
  transferDirection,
} from '../param.ts'
import { answerRows, createNames, namesFields } from '../row-page.ts'
import { type NftSaleRecord, nftSale, soldItem } from '../serialize/nft-sales.ts'
import { nftCollection, nftItem } from '../serialize/nfts.ts'
import { nftTransfer } from '../serialize/transfers.ts'
import { owners, transferWindow } from './transfer-params.ts'

type Context = CallContext<unknown>

const collections = get({
  name: 'nft/collections',
  group: 'nfts',
  summary: 'NFT collections, in the order in which the index met them',
  params: {
    collection_address: addresses({ description: 'Any of these collections' }),
    owner_address: addresses({ description: 'Any of these owners' }),
    ...PAGE_ONLY,
  },
  result: NFT_COLLECTIONS,
  call: ({ collection_address, owner_address, ...page }, context: Context) => {
    const filter = { addresses: collection_address, owner_addresses: owner_address }
    const index = context.index()
    return answerRows(context, 'nft_collections', page, (part) => index.nftCollections(filter, part), nftCollection)
  },
})

const items = get({
  name: 'nft/items',
  group: 'nfts',
  summary:
    'NFT items, in the order in which the index met them; by owner, collection and index where owners or one collection are filtered',
  params: {
    address: addresses({ description: 'Any of these items' }),
    owner_address: addresses({ description: 'Any of these owners' }),
    collection_address: addresses({ description: 'Any of these collections; several only with exactly one owner' }),
    index: indexes({ description: 'Any of these indexes in the collection; repeated, or parted by commas' }),
    include_on_sale: flag(false, { description: 'owner_address means the seller of an item that is on sale' }),
    sort_by_last_transaction_lt: flag(false, { description: 'By last_transaction_lt, descending' }),
    ...PAGE_ONLY,
  },
  result: NFT_ITEMS,
  validate: ({ owner_address, collection_address, index }) => {
    if (collection_address.length > 1 && owner_address.length !== 1)
      throw refusal('exact one owner_address required for multiple collection_address')
    if (index.length > 0 && collection_address.length === 0)
      throw refusal('index parameter is not allowed without the collection_address')
  },
  call: (
    { address, owner_address, collection_address, index, include_on_sale, sort_by_last_transaction_lt, ...page },
    context: Context,
  ) => {
    const filter = {
      addresses: address,
      owner_addresses: owner_address,
      collection_addresses: collection_address,
      indexes: index,
      include_on_sale,
      by_last_transaction_lt: sort_by_last_transaction_lt,
    }
    const reader = context.index()
    return answerRows(context, 'nft_items', page, reader.pages.nftItems(filter), nftItem)
  },
})

const transfers = get({
  name: 'nft/transfers',
  group: 'nfts',
  summary: 'NFT transfers that were asked for, aborted ones too; by lt, or by time where time is filtered',
  params: {
    owner_address: owners('Any of these old or new owners'),
    item_address: addresses({ description: 'Any of these items' }),
    collection_address: address({ description: 'Collection' }),
    direction: transferDirection('With owners: in, to them; out, from them'),
    ...transferWindow,
    ...PAGE,
  },
  result: NFT_TRANSFERS,
  call: ({ owner_address, item_address, limit, offset, sort, cursor, ...rest }, context: Context) => {
    const filter = { ...rest, owner_addresses: owner_address, item_addresses: item_address }
    const page = { limit, offset, sort, cursor }
    const index = context.index()
    return answerRows(context, 'nft_transfers', page, index.pages.nftTransfers(filter, sort), nftTransfer)
  },
})

const MAX_SALES = 1000
const PIECE = 50

/** What these accounts sell: fixed prices, then auctions, then telemint items. */
const salesOf = (index: IndexReader, addresses: readonly Address[]): NftSaleRecord[] => [
  ...index.entities('getgems_sale', addresses),
  ...index.entities('getgems_auction', addresses),
  ...index.entities('telemint', addresses),
]

/** Items by raw address. */
const itemsOf = (index: IndexReader, addresses: readonly Address[]): Map<string, NftItemRecord> => {
  const { records } = index.nftItems({ addresses }, { limit: PIECE, offset: 0, sort: 'asc' })
  return new Map(records.map((record) => [rawAddressUpper(record.address), record]))
}

/** Sales with their items, a few at once. */
function* withItems(index: IndexReader, sales: readonly NftSaleRecord[]) {
  for (let at = 0; at < sales.length; at += PIECE) {
    const piece = sales.slice(at, at + PIECE)
    const items = itemsOf(index, piece.map(soldItem))
    for (const sale of piece) yield { sale, item: items.get(rawAddressUpper(soldItem(sale))) }
  }
}

const sales = get({
  name: 'nft/sales',
  group: 'nfts',
  summary: 'What contracts of marketplaces sell: fixed prices, then auctions, then telemint items; others are left out',
  params: {
    address: requiredList(
      addresses({ description: 'Sales, auctions and telemint items, at most 1000; repeated, or parted by commas' }),
      'at least 1 address required',
    ),
  },
  result: NFT_SALES,
  validate: ({ address }) => {
    if (address.length > MAX_SALES) throw refusal(`maximum ${MAX_SALES} addresses allowed`)
  },
  call: async ({ address }, context: Context) => {
    const index = context.index()
    const { named, text } = createNames()
    const list = await context.writer.list(withItems(index, salesOf(index, address)), ({ sale, item }) =>
      text(nftSale(sale, item)),
    )
    return { text: `{"nft_sales":${list},${await namesFields(context, named)}}` }
  },
})

/** Methods that tell of NFTs (contracts/v3.md 4.7). */
export const nftMethods: readonly GetMethod<unknown>[] = [collections, items, transfers, sales]
