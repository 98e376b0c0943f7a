import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'
import type { DomainContent, NftCollection, NftItem } from '../model/nft.ts'
import type { TokenContent } from '../model/token-content.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import type { Slice } from '../ton/slice.ts'
import { type StackValue, stackInt, stackSlice } from '../ton/stack.ts'
import { readTokenContent } from './content.ts'
import { parseDnsRecords } from './dns.ts'
import { domainLabels, encodeDomain } from './dns-name.ts'
import { resolverOf } from './dns-resolver.ts'
import { addressAt, cellAt, type GetMethods, intAt, readOrNone, requiredAddressAt, sliceAt } from './get-methods.ts'

/** Top-level domains whose collections append them to their items' labels. */
const ZONES = ['ton', 't.me']

const readCollection = (stack: readonly StackValue[]): NftCollection => ({
  _: 'nft_collection',
  next_item_index: intAt(stack, 0),
  owner_address: addressAt(stack, 2),
  collection_content: readTokenContent(cellAt(stack, 1)),
})

/** The NFT collection that a contract is, or undefined when it does not answer as one. Throws what `methods` throws. */
export const findNftCollection = async (methods: GetMethods, address: Address): Promise<NftCollection | undefined> => {
  const data = await methods.run(address, 'get_collection_data')
  return data && readOrNone(() => readCollection(data))
}

/** What an item says of itself; its content is to be shown through the collection where there is one. */
type OwnData = Omit<NftItem, 'content'> & { individual_content: Cell }

const readItem = (stack: readonly StackValue[]): OwnData => ({
  _: 'nft_item',
  init: intAt(stack, 0) !== 0n,
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
  return known !== undefined && sameAddress(known, address)
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

const bytesOf = (slice: Slice): Buffer => {
  if (slice.remainingBits % 8 !== 0) throw new TonlithError('malformed', 'not whole bytes')
  return slice.bytes(slice.remainingBits / 8)
}

/** The zone that the network's DNS root gives to a collection. */
const zoneOf = async (methods: GetMethods, collection: Address): Promise<string | undefined> => {
  const root = await methods.dnsRoot()
  if (!root) return undefined
  for (const zone of ZONES) {
    const resolver = await resolverOf(methods, root, encodeDomain(zone))
    if (resolver && sameAddress(resolver, collection)) return zone
  }
  return undefined
}

/** An item tells its label by get_domain, or all labels by get_full_domain, as usernames do. */
const labelsOf = async (methods: GetMethods, address: Address): Promise<string[] | undefined> => {
  const label = await methods.run(address, 'get_domain')
  if (label) {
    const text = readOrNone(() => decodeUtf8(bytesOf(sliceAt(label, 0))))
    return text === undefined ? undefined : [text]
  }
  const full = await methods.run(address, 'get_full_domain')
  return full && readOrNone(() => domainLabels(bytesOf(sliceAt(full, 0)))?.reverse())
}

/** A label alone gets the zone of its collection; a name that is not within that zone is not told. */
const domainOf = async (methods: GetMethods, address: Address, collection: Address): Promise<string> => {
  const labels = await labelsOf(methods, address)
  if (!labels) return ''
  const zone = await zoneOf(methods, collection)
  const name = labels.join('.')
  if (labels.length > 1) return zone !== undefined && name.endsWith(`.${zone}`) ? name : ''
  return zone === undefined ? name : `${name}.${zone}`
}

/** What an item holds when it is a domain: one that resolves its own name to its records (contracts/v2.md 15.5). */
const domainContent = async (
  methods: GetMethods,
  address: Address,
  collection: Address,
): Promise<DomainContent | undefined> => {
  const self = stackSlice(beginCell().bytes(encodeDomain('')).endCell())
  const answer = await methods.run(address, 'dnsresolve', [self, stackInt(0n)])
  if (answer?.length !== 2) return undefined
  const records = readOrNone(() => parseDnsRecords(cellAt(answer, 1)))
  return records && { _: 'domain', domain: await domainOf(methods, address, collection), records }
}

/**
 * The NFT item that a contract is, or undefined: it must answer as one, and the collection that it names, if any, must know
 * it by its index. Throws what `methods` throws.
 */
export const findNftItem = async (methods: GetMethods, address: Address): Promise<NftItem | undefined> => {
  const data = await methods.run(address, 'get_nft_data')
  const own = data && readOrNone(() => readItem(data))
  if (!own) return undefined
  const { individual_content, ...item } = own
  const collection = item.collection_address
  if (!collection) {
    const content = readOrNone(() => readTokenContent(individual_content))
    return content && { ...item, content }
  }
  if (!(await isKnownToCollection(methods, address, collection, item.index))) return undefined
  const content =
    (await domainContent(methods, address, collection)) ?? (await contentThroughCollection(methods, collection, own))
  return content && { ...item, content }
}
