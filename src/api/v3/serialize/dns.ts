import type { EntityRecord } from '../../../model/entity-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Row } from '../row-page.ts'
import { addressOrNull, base64OrNull } from './scalars.ts'

/** DNSRecord of contracts/v3.md 5.9. */
export const dnsRecord = ({ address, entity }: EntityRecord<'dns_entry'>): Row => {
  const nft_item_address = rawAddressUpper(address)
  const nft_item_owner = addressOrNull(entity.nft_item_owner)
  const dns_next_resolver = addressOrNull(entity.dns_next_resolver)
  const dns_wallet = addressOrNull(entity.dns_wallet)
  return {
    wire: {
      nft_item_address,
      nft_item_owner,
      domain: entity.domain,
      dns_next_resolver,
      dns_wallet,
      dns_site_adnl: base64OrNull(entity.dns_site_adnl),
      dns_storage_bag_id: base64OrNull(entity.dns_storage_bag_id),
    },
    addresses: [nft_item_address, nft_item_owner, dns_next_resolver, dns_wallet],
  }
}
