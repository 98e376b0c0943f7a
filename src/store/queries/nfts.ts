import type { Steps } from '../../common/steps.ts'
import type { EntityRecord, NftItemFilter, NftItemRecord } from '../../model/entity-records.ts'
import type { Address } from '../../ton/address.ts'
import { addressIdOf } from '../addresses.ts'
import { collectionPlace, type EntityList, itemRanks } from '../entity-entries.ts'
import { entityAt, type SaleRecord, saleHolding } from '../entity-rows.ts'
import { addressKey, sortableInt, u32Key } from '../keys.ts'
import type { Budget } from './budget.ts'
import {
  allOfKind,
  type EntityKeys,
  entityRecord,
  fewKeys,
  idOfKey,
  idsOf,
  inOrder,
  isAnyOf,
  isStill,
  listPart,
  mergedParts,
  ofKind,
  oneAfterAnother,
  pagesOfIds,
} from './entity-pages.ts'
import { isGiven, type Pages } from './paging.ts'
import { merged, type RankedSource, rankedInAll, rankedKeys } from './ranked.ts'
import { remembered, type Source } from './transaction-rows.ts'

/** What looking at an item and its sale costs, in rows. */
const ROW_COST = 4

type Item = EntityRecord<'nft_item'>

/** What a list of items is made for. */
interface Listing {
  source: Source
  filter: NftItemFilter
  budget: Budget
}

const saleOf = (source: Source, id: number, { entity }: Item): SaleRecord | undefined =>
  saleHolding(source, id, entity.owner_address)

/** The owner by which an item is asked for: with `include_on_sale` the one who sells it. */
const ownerOf = ({ source, filter }: Listing, id: number, item: Item): Address | null => {
  const sale = filter.include_on_sale ? saleOf(source, id, item) : undefined
  return sale ? sale.entity.nft_owner_address : item.entity.owner_address
}

/** Where the items of an owner stand: those that are not on sale, and those that are. */
const ownerLists = ({ include_on_sale, by_last_transaction_lt }: NftItemFilter): readonly EntityList[] => {
  if (by_last_transaction_lt) return ['items_by_holder_lt', include_on_sale ? 'items_by_seller_lt' : 'items_by_sale_lt']
  return ['items_by_holder', include_on_sale ? 'items_by_seller' : 'items_by_sale']
}

const namesOf = (addresses: readonly Address[]): string[] =>
  inOrder(addresses).map((address) => addressKey(address).toString('latin1'))

/** The place of an address in a list that is in the order of inOrder. */
const placeIn = (names: readonly string[], address: Address | null): Buffer =>
  u32Key(address ? names.indexOf(addressKey(address).toString('latin1')) : 0)

/** Items that are few enough to be looked at one by one, of which every part of the filter is asked. */
function* few(listing: Listing, ids: readonly number[]): Steps<EntityKeys> {
  const { source, filter, budget } = listing
  const { owner_addresses: owners, collection_addresses: collections, indexes } = filter
  const [isOwner, isCollection] = [isAnyOf(owners), isAnyOf(collections)]
  const isIndex = isGiven(indexes) ? new Set(indexes) : undefined
  const [ownerNames, collectionNames] = [namesOf(owners ?? []), namesOf(collections ?? [])]
  const accepts = isStill(source, 'nft_item')
  const keyOf = (id: number): Buffer | undefined => {
    if (!accepts(u32Key(id))) return undefined
    budget.spend(ROW_COST)
    const item = entityRecord(source, 'nft_item', id)
    const { collection_address: collection, index } = item.entity
    const owner = ownerOf(listing, id, item)
    if (!isOwner(owner) || !isCollection(collection) || isIndex?.has(index) === false) return undefined
    const { ofOwner, ofCollection, byLt } = itemRanks(item, addressIdOf(source.addresses))
    const end = u32Key(id)
    if (filter.by_last_transaction_lt) return Buffer.concat([byLt, end])
    if (isGiven(owners)) return Buffer.concat([placeIn(ownerNames, owner), ofOwner, end])
    if (isGiven(collections)) return Buffer.concat([placeIn(collectionNames, collection), ofCollection, end])
    return end
  }
  const keys: Buffer[] = []
  for (const id of ids) {
    const key = keyOf(id)
    if (key) keys.push(key)
    if (budget.isTurnOver()) yield
  }
  return { ...fewKeys(keys, 'asc'), accepts }
}

/** Items of collections that have one of some indexes: none where no collection is given. */
function* withIndexes(
  listing: Listing,
  collections: readonly Address[],
  indexes: readonly bigint[],
): Steps<EntityKeys> {
  const { source, budget } = listing
  const ranks = [...new Set(indexes)].map(sortableInt)
  const ids = idsOf(source, collections).flatMap((collection) =>
    ranks.flatMap((rank) => {
      budget.spend(1)
      return Array.from(
        rankedKeys(listPart(source, 'items_by_collection', u32Key(collection), rank), 'asc', budget),
        idOfKey,
      )
    }),
  )
  return yield* few(listing, ids)
}

/** By lt. */
const byLt = ({ source, filter, budget }: Listing): EntityKeys => {
  const { owner_addresses, collection_addresses } = filter
  const owned = idsOf(source, owner_addresses).flatMap((owner) =>
    ownerLists(filter).map((list) => listPart(source, list, u32Key(owner))),
  )
  const collected = idsOf(source, collection_addresses).map((collection) =>
    listPart(source, 'items_by_collection_lt', u32Key(collection)),
  )
  if (isGiven(owner_addresses) && isGiven(collection_addresses)) {
    budget.spend(owned.length * collected.length)
    const pairs = owned.flatMap((one) => collected.map((other): RankedSource[] => [one, other]))
    return {
      from: (start) =>
        merged(
          pairs.map((pair) => rankedInAll(pair, 'asc', budget, start)),
          'asc',
        ),
    }
  }
  if (isGiven(owner_addresses)) return mergedParts(owned, 'asc', budget)
  if (isGiven(collection_addresses)) return mergedParts(collected, 'asc', budget)
  return mergedParts([listPart(source, 'items_by_lt')], 'asc', budget)
}

/** By owner, collection and index. */
const byOwner = ({ source, filter, budget }: Listing, owners: readonly Address[]): EntityKeys => {
  const { collection_addresses } = filter
  const collections = inOrder(collection_addresses).map((address) => ({ address, id: source.addresses.find(address) }))
  const known = collections.flatMap(({ address, id }) => (id === undefined ? [] : collectionPlace(address, id)))
  const ofOwner = (owner: number, places: readonly Buffer[]): EntityKeys =>
    mergedParts(
      ownerLists(filter).map((list) => listPart(source, list, u32Key(owner), ...places)),
      'asc',
      budget,
    )
  return oneAfterAnother(
    inOrder(owners).map((address) => {
      const owner = source.addresses.find(address)
      if (owner === undefined) return fewKeys([], 'asc')
      if (!isGiven(collection_addresses)) return ofOwner(owner, [])
      return oneAfterAnother(known.map((place) => ofOwner(owner, [place])))
    }),
  )
}

/** By collection and index. */
const byCollection = ({ source, budget }: Listing, collections: readonly Address[]): EntityKeys =>
  oneAfterAnother(
    inOrder(collections).map((address) => {
      const id = source.addresses.find(address)
      const parts = id === undefined ? [] : [listPart(source, 'items_by_collection', u32Key(id))]
      return mergedParts(parts, 'asc', budget)
    }),
  )

function* keysOf(listing: Listing): Steps<EntityKeys> {
  const { source, filter, budget } = listing
  const { addresses, owner_addresses, collection_addresses, indexes } = filter
  if (isGiven(addresses)) return yield* few(listing, ofKind(source, 'nft_item', idsOf(source, addresses)))
  if (isGiven(indexes)) return yield* withIndexes(listing, collection_addresses ?? [], indexes)
  if (filter.by_last_transaction_lt) return byLt(listing)
  if (isGiven(owner_addresses)) return byOwner(listing, owner_addresses)
  if (isGiven(collection_addresses)) return byCollection(listing, collection_addresses)
  return mergedParts([allOfKind(source, 'nft_item')], 'asc', budget)
}

/** Pages of EntityReader.nftItems */
export const nftItemPages = (source: Source, filter: NftItemFilter): Pages<NftItemRecord> =>
  pagesOfIds(
    (budget) => keysOf({ source, filter, budget }),
    (ids) => {
      const collectionAt = remembered((collection: number): EntityRecord<'nft_collection'> | null => {
        const row = entityAt(source, 'nft_collection', collection)
        return row ? { address: source.addresses.of(collection), ...row } : null
      })
      return ids.map((id): NftItemRecord => {
        const item = entityRecord(source, 'nft_item', id)
        const { collection_address } = item.entity
        const collection = collection_address ? source.addresses.find(collection_address) : undefined
        return {
          ...item,
          collection: collection === undefined ? null : collectionAt(collection),
          sale: saleOf(source, id, item) ?? null,
        }
      })
    },
  )
