import { parseDnsRecord } from '../../contracts/dns.ts'
import { bytesIn, integerIn, needInteger, recordIn } from '../../contracts/fields.ts'
import type { DnsAction, DnsValue } from '../../model/actions/dns.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress, tryParseAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { Matcher } from '../classify/family.ts'
import { isCall, messageOf } from '../classify/part.ts'
import { call, maybe, only } from '../classify/pattern.ts'

const CHANGE_RECORD = 0x4eb1f0f9
const RELEASE = 0x4ed14b65
const FILL_UP = 0x370fec51
const BOUNCE = 0xffffffff

/** Collections of the names of `.ton`, of the main network and of the test network. */
const TON_COLLECTIONS: readonly Address[] = [
  '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
  '0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD',
].map((text) => tryParseAddress(text)!)

const NO_VALUE: DnsValue = {
  sum_type: null,
  dns_smc_address: null,
  dns_adnl_address: null,
  dns_text: null,
  dns_next_resolver_address: null,
  dns_storage_address: null,
  flags: null,
}

const recordValue = (cell: Cell, flags: number | null): DnsValue => {
  const record = parseDnsRecord(cell)
  switch (record._) {
    case 'dns_smc_address':
      return { ...NO_VALUE, sum_type: 'DNSSmcAddress', dns_smc_address: record.smc_addr, flags }
    case 'dns_next_resolver':
      return { ...NO_VALUE, sum_type: 'DNSNextResolver', dns_next_resolver_address: record.resolver }
    case 'dns_adnl_address':
      return { ...NO_VALUE, sum_type: 'DNSAdnlAddress', dns_adnl_address: record.adnl_addr.toString('hex'), flags }
    case 'dns_storage_address':
      return { ...NO_VALUE, sum_type: 'DNSStorageAddress', dns_storage_address: record.bag_id.toString('hex') }
    case 'dns_text':
      return { ...NO_VALUE, sum_type: 'DNSText', dns_text: record.text }
    case 'unknown':
      return NO_VALUE
  }
}

type OfItem = { source: Address | null; asset: Address | null; nft_collection: Address | null }

const changeTold = (key: Buffer, value: DnsValue | undefined, of: OfItem): DnsAction => {
  if (value) return { type: 'change_dns', details: { key: key.toString('hex'), value, ...of } }
  return key.every((byte) => byte === 0)
    ? { type: 'renew_dns', details: of }
    : { type: 'delete_dns', details: { hash: key.toString('hex'), ...of } }
}

/** A record of a name that is set or deleted; a request without any makes the name last longer. */
export const changeDns: Matcher = {
  name: 'record of a name',
  pattern: call(CHANGE_RECORD, { bare: true, child: maybe(call(BOUNCE, { bare: true })) }),
  build: (start, _match, facts) => {
    const { source, destination: asset, body } = messageOf(start)
    const said = start.nodes[0]!.said()
    const key = bytesIn(said, 'key')
    if (!key) return undefined
    const flags = integerIn(recordIn(said, 'value'), 'flags')
    const value = body.refCount > 0 ? recordValue(body.ref(0), flags === undefined ? null : Number(flags)) : undefined
    const nft_collection = (asset && facts(asset).nft_item?.collection_address) ?? null
    const content = changeTold(key, value, { source, asset, nft_collection })
    return {
      btype: content.type,
      content,
      columns: { source, destination: asset, asset: nft_collection },
      failed: start.failed,
    }
  },
}

/** The item of a name that an account is. */
export const nameAt = (address: Address | null, facts: Facts) => {
  const { nft_item, dns_entry } = address ? facts(address) : {}
  const collection = nft_item?.collection_address
  const isName = dns_entry !== undefined || (collection && TON_COLLECTIONS.some((one) => sameAddress(one, collection)))
  return isName ? nft_item : undefined
}

/** A name whose auction ended: its price goes to the collection when the winner first uses it. */
export const dnsPurchase: Matcher = {
  name: 'purchase of a name',
  pattern: only(call(FILL_UP, { bare: true }), ({ previous }) => previous !== null && isCall(previous)),
  build: (start, _match, facts) => {
    const { source: nft_item, value } = messageOf(start)
    const item = nameAt(nft_item, facts)
    if (!item || !nft_item) return undefined
    const new_owner = messageOf(start.previous!).source
    const nft_collection = item.collection_address
    return {
      of: [start],
      btype: 'dns_purchase',
      content: {
        type: 'dns_purchase',
        details: {
          nft_collection,
          nft_item,
          nft_item_index: item.index,
          new_owner,
          price: value,
          query_id: needInteger(start.nodes[0]!.said(), 'query_id'),
          payout_amount: value,
        },
      },
      columns: { destination: new_owner, asset: nft_collection, asset_secondary: nft_item },
      failed: start.nodes[0]!.failed,
    }
  },
}

/** A name that nobody made last longer, taken by whoever pays for it. */
export const dnsRelease: Matcher = {
  name: 'release of a name',
  pattern: call(RELEASE, { bare: true }),
  build: (start, _match, facts) => {
    const { source, destination: nft_item, value } = messageOf(start)
    const item = nameAt(nft_item, facts)
    if (!item || !nft_item) return undefined
    const nft_collection = item.collection_address
    return {
      btype: 'dns_release',
      content: {
        type: 'dns_release',
        details: {
          query_id: needInteger(start.nodes[0]!.said(), 'query_id'),
          source,
          nft_item,
          nft_collection,
          nft_item_index: item.index,
          value,
        },
      },
      columns: { source, destination: nft_item, asset: nft_collection, value },
      failed: start.nodes[0]!.failed,
    }
  },
}
