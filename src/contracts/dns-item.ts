import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'
import type { DnsEntry, DnsRecord } from '../model/dns.ts'
import type { DnsEntity } from '../model/entities.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Slice } from '../ton/slice.ts'
import { stackInt, stackSlice } from '../ton/stack.ts'
import { parseDnsRecords } from './dns.ts'
import { dnsCategory, domainLabels, encodeDomain, NEXT_RESOLVER, normalDomain, tryEncodeDomain } from './dns-name.ts'
import { resolverOf } from './dns-resolver.ts'
import { cellAt, type GetMethods, numberAt, readOrNone, sliceAt } from './get-methods.ts'

/** Top-level domains whose collections append them to their items' labels. */
const ZONES = ['ton', 't.me']

/** A zone and the collection that the network's DNS root gives it to. */
export interface DnsZone {
  name: string
  collection: Address
}

/** The zones of the network. Throws what `methods` throws. */
export const dnsZones = async (methods: GetMethods): Promise<DnsZone[]> => {
  const root = await methods.dnsRoot()
  if (!root) return []
  const zones: DnsZone[] = []
  for (const name of ZONES) {
    const collection = await resolverOf(methods, root, encodeDomain(name))
    if (collection) zones.push({ name, collection })
  }
  return zones
}

/** The zone of a collection's items. */
export const zoneOf = (zones: readonly DnsZone[], collection: Address): string | undefined =>
  zones.find((zone) => sameAddress(zone.collection, collection))?.name

const bytesOf = (slice: Slice): Buffer => {
  if (slice.remainingBits % 8 !== 0) throw new TonlithError('malformed', 'not whole bytes')
  return slice.bytes(slice.remainingBits / 8)
}

/**
 * The labels of an item's name, the last one first of what it tells: its own by get_domain, or all by get_full_domain, as
 * usernames do. Undefined where it tells none. Throws what `methods` throws.
 */
export const itemLabels = async (methods: GetMethods, address: Address): Promise<string[] | undefined> => {
  const label = await methods.run(address, 'get_domain')
  if (label) {
    const text = readOrNone(() => decodeUtf8(bytesOf(sliceAt(label, 0))))
    return text === undefined ? undefined : [text]
  }
  const full = await methods.run(address, 'get_full_domain')
  return full && readOrNone(() => domainLabels(bytesOf(sliceAt(full, 0)))?.reverse())
}

/** The name that labels give: one label alone gets the zone; a name that is not within the zone is the empty text. */
export const domainName = (labels: readonly string[], zone: string | undefined): string => {
  const name = labels.join('.')
  if (labels.length > 1) return zone !== undefined && name.endsWith(`.${zone}`) ? name : ''
  return zone === undefined ? name : `${name}.${zone}`
}

/** The records of an item that resolves its own name (contracts/v2.md 15.5); undefined for others. */
export const ownRecords = async (methods: GetMethods, address: Address): Promise<DnsEntry[] | undefined> => {
  const self = stackSlice(beginCell().bytes(encodeDomain('')).endCell())
  const answer = await methods.run(address, 'dnsresolve', [self, stackInt(0n)])
  if (answer?.length !== 2) return undefined
  return readOrNone(() => parseDnsRecords(cellAt(answer, 1)))
}

const WALLET = dnsCategory('wallet')
const SITE = dnsCategory('site')
const STORAGE = dnsCategory('storage')

/** Seconds after which an item that was not renewed can be taken by anybody (TEP-81). */
const YEAR = 366 * 24 * 60 * 60

const expiry = async (methods: GetMethods, address: Address): Promise<number | null> => {
  const answer = await methods.run(address, 'get_last_fill_up_time')
  const filled = answer && readOrNone(() => numberAt(answer, 0))
  return filled === undefined ? null : filled + YEAR
}

/** The domain that an NFT item of a zone is by its ownRecords; undefined for one that does not tell its name. Throws what `methods` throws. */
export const dnsEntity = async (
  methods: GetMethods,
  address: Address,
  { records, zone, nft_item_owner }: { records: readonly DnsEntry[]; zone: string; nft_item_owner: Address | null },
): Promise<DnsEntity | undefined> => {
  const labels = await itemLabels(methods, address)
  const domain = normalDomain(labels ? domainName(labels, zone) : '')
  if (domain === '' || !tryEncodeDomain(domain)) return undefined
  const at = <K extends DnsRecord['_']>(category: Buffer, kind: K): Extract<DnsRecord, { _: K }> | undefined => {
    const record = records.find((entry) => entry.category.equals(category))?.record
    return record?._ === kind ? (record as Extract<DnsRecord, { _: K }>) : undefined
  }
  return {
    _: 'dns_entry',
    nft_item_owner,
    domain,
    dns_next_resolver: at(NEXT_RESOLVER, 'dns_next_resolver')?.resolver ?? null,
    dns_wallet: at(WALLET, 'dns_smc_address')?.smc_addr ?? null,
    dns_site_adnl: at(SITE, 'dns_adnl_address')?.adnl_addr ?? null,
    dns_storage_bag_id: at(STORAGE, 'dns_storage_address')?.bag_id ?? null,
    expires_at: await expiry(methods, address),
  }
}
