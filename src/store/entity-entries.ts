import { hash } from 'node:crypto'
import type { EntityKind, EntityOf } from '../model/entities.ts'
import type { Address } from '../ton/address.ts'
import type { EntityRow } from './entity-codec.ts'
import type { Entry } from './entries.ts'
import { addressKey, descendingU64, HASH_PREFIX, hashKey, sortableInt, u32Key } from './keys.ts'

/**
 * The lists of `entity_lists` with what stands in their keys behind the list's number and before the account's interned
 * address. `owner`, `admin` and the like are interned addresses; `collection place` is that of collectionPlace, `name` that
 * of nameRank. An item that a known sale or auction holds (which owns it and names it) stands under the sale and the
 * seller, and not among what its owner holds.
 */
const LISTS = {
  masters_by_admin: 'admin',
  wallets_by_owner: 'owner',
  wallets_by_owner_balance: 'owner, balance',
  wallets_by_owner_jetton: 'owner, jetton',
  wallets_by_jetton: 'jetton',
  wallets_by_jetton_balance: 'jetton, balance',
  wallets_by_balance: 'balance',
  collections_by_owner: 'owner',
  items_by_collection: 'collection, index',
  items_by_collection_lt: 'collection, lt descending',
  items_by_lt: 'lt descending',
  items_by_holder: 'owner, collection place, index',
  items_by_holder_lt: 'owner, lt descending',
  items_by_sale: 'owner, collection place, index',
  items_by_sale_lt: 'owner, lt descending',
  items_by_seller: 'seller, collection place, index',
  items_by_seller_lt: 'seller, lt descending',
  names_by_wallet: 'wallet, name',
  names_by_domain: 'hash8 of the domain',
  names_of_wallet: 'wallet that is the owner too, name',
  multisigs_by_wallet: 'signer or proposer',
  orders_by_multisig: 'multisig',
  vestings_by_wallet: 'owner or sender',
  vestings_by_member: 'member of the whitelist',
} as const satisfies Record<string, string>

export type EntityList = keyof typeof LISTS

const NUMBERS = new Map(Object.keys(LISTS).map((list, number) => [list, number]))

/** Beginning of the keys of a list. */
export const listKey = (list: EntityList, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.of(NUMBERS.get(list)!), ...parts])

/** Puts the items of an owner into the order of their collections' addresses; those without one are the last. */
export const collectionPlace = (collection: Address | null, id: number): Buffer =>
  collection
    ? Buffer.concat([Buffer.of(0), addressKey(collection).subarray(0, 4 + HASH_PREFIX), u32Key(id)])
    : Buffer.of(1)

const NAME_BYTES = 255
const LONGEST_NAME = 0xffff

/** The length of a domain in characters, then its first 255 bytes. */
export const nameRank = (domain: string): Buffer => {
  const rank = Buffer.alloc(2)
  rank.writeUInt16BE(Math.min([...domain].length, LONGEST_NAME))
  return Buffer.concat([rank, Buffer.from(domain, 'utf8').subarray(0, NAME_BYTES)])
}

/** Where the domain is looked up: its entries name the accounts that may have it. */
export const domainKey = (domain: string): Buffer => hashKey(hash('sha256', domain, 'buffer'))

/** What the entries of a row are made of. */
export interface ListedRow<K extends EntityKind> extends Pick<EntityRow<K>, 'last_transaction_lt' | 'entity'> {
  /** Interned address of the account. */
  id: number
}

/** The interned address of one that a row names. */
type IdOf = (address: Address) => number

type Lists = [list: EntityList, ...rank: Buffer[]][]

const under = (list: EntityList, idOf: IdOf, addresses: readonly (Address | null)[]): Lists => {
  const ids = new Set(addresses.filter((address) => address !== null).map(idOf))
  return Array.from(ids, (id) => [list, u32Key(id)])
}

const walletLists = ({ balance, owner, jetton }: EntityOf<'jetton_wallet'>, idOf: IdOf): Lists => {
  const [ownerId, jettonId, rank] = [u32Key(idOf(owner)), u32Key(idOf(jetton)), sortableInt(balance)]
  return [
    ['wallets_by_owner', ownerId],
    ['wallets_by_owner_balance', ownerId, rank],
    ['wallets_by_owner_jetton', ownerId, jettonId],
    ['wallets_by_jetton', jettonId],
    ['wallets_by_jetton_balance', jettonId, rank],
    ['wallets_by_balance', rank],
  ]
}

/** Ranks of an item among those of one owner: by collection and index, and by lt. */
export const itemRanks = (
  { last_transaction_lt, entity }: Pick<ListedRow<'nft_item'>, 'last_transaction_lt' | 'entity'>,
  idOf: IdOf,
): { ofOwner: Buffer; ofCollection: Buffer; byLt: Buffer } => {
  const { collection_address: collection, index } = entity
  const ofCollection = sortableInt(index)
  const place = collectionPlace(collection, collection ? idOf(collection) : 0)
  return { ofOwner: Buffer.concat([place, ofCollection]), ofCollection, byLt: descendingU64(last_transaction_lt) }
}

const itemLists = (row: ListedRow<'nft_item'>, idOf: IdOf, sale: Sale | undefined): Lists => {
  const { collection_address: collection, owner_address: owner } = row.entity
  const { ofOwner, ofCollection, byLt } = itemRanks(row, idOf)
  const lists: Lists = [['items_by_lt', byLt]]
  if (collection) {
    const id = u32Key(idOf(collection))
    lists.push(['items_by_collection', id, ofCollection], ['items_by_collection_lt', id, byLt])
  }
  if (!owner) return lists
  const id = u32Key(idOf(owner))
  if (!sale) return [...lists, ['items_by_holder', id, ofOwner], ['items_by_holder_lt', id, byLt]]
  lists.push(['items_by_sale', id, ofOwner], ['items_by_sale_lt', id, byLt])
  if (!sale.nft_owner_address) return lists
  const seller = u32Key(idOf(sale.nft_owner_address))
  return [...lists, ['items_by_seller', seller, ofOwner], ['items_by_seller_lt', seller, byLt]]
}

const nameLists = ({ domain, dns_wallet, nft_item_owner }: EntityOf<'dns_entry'>, idOf: IdOf): Lists => {
  const lists: Lists = [['names_by_domain', domainKey(domain)]]
  if (!dns_wallet) return lists
  const [wallet, rank] = [idOf(dns_wallet), nameRank(domain)]
  lists.push(['names_by_wallet', u32Key(wallet), rank])
  if (nft_item_owner && idOf(nft_item_owner) === wallet) lists.push(['names_of_wallet', u32Key(wallet), rank])
  return lists
}

/** What decides who sells an item: the sale or auction that owns it and names it. */
type Sale = Pick<EntityOf<'getgems_sale'>, 'nft_owner_address'>

const listsOf = ({ entity, ...row }: ListedRow<EntityKind>, idOf: IdOf, sale: Sale | undefined): Lists => {
  switch (entity._) {
    case 'jetton_master':
      return under('masters_by_admin', idOf, [entity.admin_address])
    case 'jetton_wallet':
      return walletLists(entity, idOf)
    case 'nft_collection':
      return under('collections_by_owner', idOf, [entity.owner_address])
    case 'nft_item':
      return itemLists({ ...row, entity }, idOf, sale)
    case 'dns_entry':
      return nameLists(entity, idOf)
    case 'multisig':
      return under('multisigs_by_wallet', idOf, [...entity.signers, ...entity.proposers])
    case 'multisig_order':
      return under('orders_by_multisig', idOf, [entity.multisig_address])
    case 'vesting':
      return [
        ...under('vestings_by_wallet', idOf, [entity.owner_address, entity.sender_address]),
        ...under('vestings_by_member', idOf, entity.whitelist),
      ]
    case 'getgems_sale':
    case 'getgems_auction':
    case 'telemint':
      return []
  }
}

/**
 * Entries of a row in `entity_lists`.
 * @param sale for an item: the sale or auction that holds it
 */
export const entityEntries = (row: ListedRow<EntityKind>, idOf: IdOf, sale?: Sale): Entry[] => {
  const end = u32Key(row.id)
  return listsOf(row, idOf, sale).map(([list, ...rank]) => ['entity_lists', listKey(list, ...rank, end)])
}
