import type { EntityRecord, NftItemRecord } from '../../../model/entity-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Row } from '../row-page.ts'
import { addressOrNull, base64OrNull, given } from './scalars.ts'
import { tokenContent } from './token-content.ts'

/** NFTCollection of contracts/v3.md 5.8. */
export const nftCollection = ({ entity, ...record }: EntityRecord<'nft_collection'>): Row => {
  const address = rawAddressUpper(record.address)
  const owner_address = addressOrNull(entity.owner_address)
  return {
    wire: {
      address,
      owner_address,
      last_transaction_lt: String(record.last_transaction_lt),
      next_item_index: String(entity.next_item_index),
      collection_content: tokenContent(entity.collection_content),
      data_hash: base64OrNull(record.data_hash),
      code_hash: base64OrNull(record.code_hash),
    },
    addresses: [address, owner_address],
  }
}

const saleFields = (sale: NftItemRecord['sale']) => {
  if (!sale) return { on_sale: false }
  const contract = rawAddressUpper(sale.address)
  const { entity } = sale
  return {
    on_sale: true,
    ...(entity._ === 'getgems_sale' ? { sale_contract_address: contract } : { auction_contract_address: contract }),
    real_owner: given(entity.nft_owner_address, rawAddressUpper),
  }
}

/** NFTItem of contracts/v3.md 5.8. */
export const nftItem = ({ entity, collection: known, sale, ...record }: NftItemRecord): Row => {
  const address = rawAddressUpper(record.address)
  const collection_address = addressOrNull(entity.collection_address)
  const owner_address = addressOrNull(entity.owner_address)
  const collection = known && nftCollection(known)
  const addresses = [address, collection_address, owner_address, ...(collection?.addresses ?? [])]
  if (sale) addresses.push(rawAddressUpper(sale.address), addressOrNull(sale.entity.nft_owner_address))
  return {
    wire: {
      address,
      init: entity.init,
      index: String(entity.index),
      collection_address,
      owner_address,
      content: tokenContent(entity.content),
      last_transaction_lt: String(record.last_transaction_lt),
      code_hash: base64OrNull(record.code_hash),
      data_hash: base64OrNull(record.data_hash),
      collection: collection?.wire ?? null,
      ...saleFields(sale),
    },
    addresses,
  }
}
