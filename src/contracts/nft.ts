import type { DnsEntity, NftCollectionEntity, NftItemEntity } from '../model/entities.ts'
import type { DomainContent, NftCollection, NftItem } from '../model/nft.ts'
import type { TokenContent } from '../model/token-content.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { type StackValue, stackInt } from '../ton/stack.ts'
import { contentOrNone, NO_CONTENT, readTokenContent } from './content.ts'
import { type DnsZone, dnsEntity, dnsZones, domainName, itemLabels, ownRecords, zoneOf } from './dns-item.ts'
import {
  addressAt,
  cellAt,
  flagAt,
  type GetMethods,
  intAt,
  readAnswer,
  readOrNone,
  requiredAddressAt,
} from './get-methods.ts'

/** What get_collection_data tells, with the content still closed. */
interface CollectionData extends Pick<NftCollection, 'next_item_index' | 'owner_address'> {
  content: Cell
}

const readCollection = (stack: readonly StackValue[]): CollectionData => ({
  next_item_index: intAt(stack, 0),
  content: cellAt(stack, 1),
  owner_address: addressAt(stack, 2),
})

const collectionData = async (methods: GetMethods, address: Address): Promise<CollectionData | undefined> =>
  readAnswer(methods, await methods.run(address, 'get_collection_data'), readCollection)

/** The NFT collection that a contract is, or undefined when it does not answer as one. Throws what `methods` throws. */
export const findNftCollection = async (methods: GetMethods, address: Address): Promise<NftCollection | undefined> => {
  const data = await collectionData(methods, address)
  if (!data) return undefined
  const { content, ...rest } = data
  const collection_content = readOrNone(() => readTokenContent(content))
  return collection_content && { _: 'nft_collection', ...rest, collection_content }
}

/** As findNftCollection; one whose content cannot be read has none. */
export const nftCollectionEntity = async (
  methods: GetMethods,
  address: Address,
): Promise<NftCollectionEntity | undefined> => {
  const data = await collectionData(methods, address)
  if (!data || data.next_item_index < -1n) return undefined
  const { next_item_index, owner_address, content } = data
  return {
    _: 'nft_collection',
    next_item_index,
    owner_address: owner_address ?? null,
    collection_content: contentOrNone(methods, content),
  }
}

/** What an item says of itself; its content is to be shown through the collection where there is one. */
interface OwnData extends Omit<NftItem, '_' | 'content'> {
  individual_content: Cell
}

const readItem = (stack: readonly StackValue[]): OwnData => ({
  init: flagAt(stack, 0),
  index: intAt(stack, 1),
  collection_address: addressAt(stack, 2),
  owner_address: addressAt(stack, 3),
  individual_content: cellAt(stack, 4),
})

const isKnownToCollection = async (
  methods: GetMethods,
  address: Address,
  collection: Address,
  index: bigint,
): Promise<boolean> => {
  const answer = await methods.run(collection, 'get_nft_address_by_index', [stackInt(index)])
  const known = answer && readOrNone(() => requiredAddressAt(answer, 0))
  const same = known !== undefined && sameAddress(known, address)
  if (!same) methods.fault?.('parent')
  return same
}

/** What of an item is known to its collection. */
export interface ItemPlace {
  collection: Address
  index: bigint
}

/** An item's own data, once the collection that it names, if any, knows it; `isTrusted` tells that without asking. */
const itemData = async (
  methods: GetMethods,
  address: Address,
  isTrusted: (place: ItemPlace) => boolean = () => false,
): Promise<OwnData | undefined> => {
  const own = readAnswer(methods, await methods.run(address, 'get_nft_data'), readItem)
  const collection = own?.collection_address
  if (!own || !collection || isTrusted({ collection, index: own.index })) return own
  return (await isKnownToCollection(methods, address, collection, own.index)) ? own : undefined
}

const contentThroughCollection = async (
  methods: GetMethods,
  collection: Address,
  { index, individual_content }: OwnData,
): Promise<TokenContent | undefined> => {
  const args: StackValue[] = [stackInt(index), { _: 'vm_stk_cell', cell: individual_content }]
  const answer = await methods.run(collection, 'get_nft_content', args)
  return answer && readOrNone(() => readTokenContent(cellAt(answer, 0)))
}

/** What an item holds when it is a domain: one that resolves its own name to its records (contracts/v2.md 15.5). */
const domainContent = async (
  methods: GetMethods,
  address: Address,
  collection: Address,
): Promise<DomainContent | undefined> => {
  const records = await ownRecords(methods, address)
  if (!records) return undefined
  const labels = await itemLabels(methods, address)
  const domain = labels ? domainName(labels, zoneOf(await dnsZones(methods), collection)) : ''
  return { _: 'domain', domain, records }
}

/**
 * The NFT item that a contract is, or undefined: it must answer as one, and the collection that it names, if any, must know
 * it by its index. Throws what `methods` throws.
 */
export const findNftItem = async (methods: GetMethods, address: Address): Promise<NftItem | undefined> => {
  const own = await itemData(methods, address)
  if (!own) return undefined
  const { individual_content, ...item } = own
  const collection = item.collection_address
  const content = collection
    ? ((await domainContent(methods, address, collection)) ??
      (await contentThroughCollection(methods, collection, own)))
    : readOrNone(() => readTokenContent(individual_content))
  return content && { _: 'nft_item', ...item, content }
}

/** What is known of an item beforehand, so that less has to be asked. */
export interface KnownItem {
  /** True when the collection is known to know the item by this index. */
  isTrusted(place: ItemPlace): boolean
  /** The zones of the network; asked for only where there may be a domain. */
  zones(): Promise<readonly DnsZone[]>
}

/**
 * As findNftItem; one whose content cannot be read has none. Within a zone of the network it can be a domain as well, and
 * has its name in place of content then.
 */
export const nftItemEntities = async (
  methods: GetMethods,
  address: Address,
  known: KnownItem,
): Promise<[] | [NftItemEntity] | [NftItemEntity, DnsEntity]> => {
  const own = await itemData(methods, address, known.isTrusted)
  if (!own || own.index < 0n) return []
  const { init, index, collection_address, owner_address, individual_content } = own
  const item = {
    _: 'nft_item',
    init,
    index,
    collection_address: collection_address ?? null,
    owner_address: owner_address ?? null,
  } as const
  if (!collection_address) return [{ ...item, content: contentOrNone(methods, individual_content) }]
  const records = await ownRecords(methods, address)
  const zone = records && zoneOf(await known.zones(), collection_address)
  const domain =
    records && zone !== undefined
      ? await dnsEntity(methods, address, { records, zone, nft_item_owner: item.owner_address })
      : undefined
  if (domain) return [{ ...item, content: { _: 'domain', domain: domain.domain } }, domain]
  const content = await contentThroughCollection(methods, collection_address, own)
  if (!content) methods.fault?.('content')
  return [{ ...item, content: content ?? NO_CONTENT }]
}
