import type { Address } from '../ton/address.ts'
import type { DnsEntry } from './dns.ts'
import type { TokenContent } from './token-content.ts'

/** What get_collection_data tells (TEP-62). */
export interface NftCollection {
  _: 'nft_collection'
  /** -1 where items have no order. */
  next_item_index: bigint
  owner_address: Address | undefined
  collection_content: TokenContent
}

/** What a DNS item holds in place of token content. */
export interface DomainContent {
  _: 'domain'
  /** With its zone; the empty text where the item does not tell it. */
  domain: string
  records: readonly DnsEntry[]
}

/** What get_nft_data tells (TEP-62), of an item that its collection knows or that has none. */
export interface NftItem {
  _: 'nft_item'
  init: boolean
  /** Up to 256 bits. */
  index: bigint
  collection_address: Address | undefined
  owner_address: Address | undefined
  content: TokenContent | DomainContent
}
