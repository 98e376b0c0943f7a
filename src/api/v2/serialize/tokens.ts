import { dnsCategory } from '../../../contracts/dns-name.ts'
import type { DnsEntry, DnsRecord } from '../../../model/dns.ts'
import type { JettonMaster, JettonWallet } from '../../../model/jetton.ts'
import type { DomainContent, NftCollection, NftItem } from '../../../model/nft.ts'
import type { Token } from '../../../model/token.ts'
import type { TokenContent } from '../../../model/token-content.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { addressText, type Neutral } from '../dialect.ts'
import { bytesOf } from './scalars.ts'

type Fields = { readonly [key: string]: Neutral | undefined }

const tokenContent = (content: TokenContent): Neutral =>
  content._ === 'onchain' ? { type: content._, data: content.attributes } : { type: content._, data: content.uri }

const optionalAddress = (address: Address | undefined): Neutral | undefined => address && addressText(address)

/** `addr_std`; its hex is in lower case in both dialects. */
const addrStd = ({ workchain, hash }: Address): Neutral => ({
  '@type': 'addr_std',
  workchain_id: workchain,
  address: hash.toString('hex'),
})

/** A record as token data shows it; undefined for the kinds that it leaves out. */
const dnsRecord = (record: DnsRecord): Neutral | undefined => {
  switch (record._) {
    case 'dns_smc_address':
      return { '@type': record._, smc_addr: addrStd(record.smc_addr) }
    case 'dns_next_resolver':
      return { '@type': record._, resolver: addrStd(record.resolver) }
    case 'dns_adnl_address':
      return { '@type': record._, adnl_addr: record.adnl_addr.toString('hex') }
    case 'dns_storage_address':
      return { '@type': record._, bag_id: record.bag_id.toString('hex') }
    case 'dns_text':
    case 'unknown':
      return undefined
  }
}

/** Categories that stand last, in this order; all others come before them, sorted by their keys. */
const LAST = ['wallet', 'site', 'storage']
const NAMES = new Map(
  [...LAST, 'dns_next_resolver'].map((name) => [dnsCategory(name).toString('hex').toUpperCase(), name]),
)

const recordKey = ({ category }: DnsEntry): string => {
  const hex = category.toString('hex').toUpperCase()
  return NAMES.get(hex) ?? hex
}

const byPlace = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  LAST.indexOf(a) - LAST.indexOf(b) || (a < b ? -1 : 1)

const domainContent = ({ domain, records }: DomainContent): Neutral => ({
  domain,
  data: Object.fromEntries(records.map((entry) => [recordKey(entry), dnsRecord(entry.record)] as const).sort(byPlace)),
})

const jettonMaster = (token: JettonMaster): Fields => ({
  total_supply: String(token.total_supply),
  mintable: token.mintable,
  admin_address: optionalAddress(token.admin_address),
  jetton_content: tokenContent(token.jetton_content),
  jetton_wallet_code: bytesOf(token.jetton_wallet_code),
})

const jettonWallet = (token: JettonWallet): Fields => ({
  balance: String(token.balance),
  owner: addressText(token.owner),
  jetton: addressText(token.jetton),
  mintless_is_claimed: token.mintless_is_claimed,
  jetton_wallet_code: bytesOf(token.jetton_wallet_code),
})

const nftCollection = (token: NftCollection): Fields => ({
  next_item_index: String(token.next_item_index),
  owner_address: optionalAddress(token.owner_address),
  collection_content: tokenContent(token.collection_content),
})

const nftItem = (token: NftItem): Fields => ({
  init: token.init,
  index: String(token.index),
  collection_address: optionalAddress(token.collection_address),
  owner_address: optionalAddress(token.owner_address),
  content: token.content._ === 'domain' ? domainContent(token.content) : tokenContent(token.content),
})

const TYPES = {
  jetton_master: 'ext.tokens.jettonMasterData',
  jetton_wallet: 'ext.tokens.jettonWalletData',
  nft_collection: 'ext.tokens.nftCollectionData',
  nft_item: 'ext.tokens.nftItemData',
} as const

const fieldsOf = (token: Token): Fields => {
  switch (token._) {
    case 'jetton_master':
      return jettonMaster(token)
    case 'jetton_wallet':
      return jettonWallet(token)
    case 'nft_collection':
      return nftCollection(token)
    case 'nft_item':
      return nftItem(token)
  }
}

/**
 * `ext.tokens.*Data` (contracts/v2.md 15.3). `address` is the asked account, raw in both dialects whatever form it was
 * asked with: the answer is the same to the byte for every form (user-reports.md A1).
 */
export const tokenData = (address: Address, token: Token): Neutral => ({
  '@type': TYPES[token._],
  address: rawAddressUpper(address),
  contract_type: token._,
  ...fieldsOf(token),
})
