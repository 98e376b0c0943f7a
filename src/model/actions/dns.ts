import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** A record of a name (TEP-81); what is no account is hex. */
export type DnsValue = {
  sum_type: 'DNSNextResolver' | 'DNSSmcAddress' | 'DNSAdnlAddress' | 'DNSStorageAddress' | 'DNSText' | null
  dns_smc_address: Address | null
  dns_adnl_address: string | null
  dns_text: string | null
  dns_next_resolver_address: Address | null
  dns_storage_address: string | null
  flags: number | null
}

type OfItem = { source: Address | null; asset: Address | null; nft_collection: Address | null }

/** `key` in 64 hex digits. */
export type ChangeDnsDetails = { key: string; value: DnsValue } & OfItem
/** `hash` is the key. */
export type DeleteDnsDetails = { hash: string } & OfItem
export type RenewDnsDetails = OfItem

/** Amounts in nano-units. */
export type DnsPurchaseDetails = {
  nft_collection: Address | null
  nft_item: Address
  nft_item_index: bigint
  new_owner: Address | null
  price: bigint
  query_id: bigint
  payout_amount: bigint
}

export type DnsReleaseDetails = {
  query_id: bigint
  source: Address | null
  nft_item: Address
  nft_collection: Address | null
  nft_item_index: bigint
  value: bigint
}

export type DnsAction =
  | ActionOf<'change_dns', ChangeDnsDetails>
  | ActionOf<'delete_dns', DeleteDnsDetails>
  | ActionOf<'renew_dns', RenewDnsDetails>
  | ActionOf<'dns_purchase', DnsPurchaseDetails>
  | ActionOf<'dns_release', DnsReleaseDetails>
