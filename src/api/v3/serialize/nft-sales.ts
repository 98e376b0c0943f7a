import type { GetgemsAuctionEntity, GetgemsSaleEntity, TelemintEntity } from '../../../model/entities.ts'
import type { EntityRecord, NftItemRecord } from '../../../model/entity-records.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { exactNumber, type Wire } from '../go-json.ts'
import type { Row } from '../row-page.ts'
import { nftItem } from './nfts.ts'
import { addressOrNull, base64OrNull, given } from './scalars.ts'

/** A contract that sells NFT items. */
export type NftSaleRecord = EntityRecord<'getgems_sale'> | EntityRecord<'getgems_auction'> | EntityRecord<'telemint'>

const addressText = (address: Address | null): string | undefined => given(address, rawAddressUpper)

const saleDetails = (sale: GetgemsSaleEntity): Wire => ({
  is_complete: sale.is_complete,
  full_price: String(sale.full_price),
  marketplace_fee_address: addressText(sale.marketplace_fee_address),
  marketplace_fee: String(sale.marketplace_fee),
  royalty_address: addressText(sale.royalty_address),
  royalty_amount: String(sale.royalty_amount),
})

const auctionDetails = (auction: GetgemsAuctionEntity): Wire => ({
  end_flag: auction.end_flag,
  end_time: auction.end_time,
  last_bid: String(auction.last_bid),
  last_member: addressText(auction.last_member),
  min_step: exactNumber(auction.min_step),
  mp_fee_address: addressText(auction.mp_fee_address),
  mp_fee_factor: exactNumber(auction.mp_fee_factor),
  mp_fee_base: exactNumber(auction.mp_fee_base),
  royalty_fee_address: addressText(auction.royalty_fee_address),
  royalty_fee_factor: exactNumber(auction.royalty_fee_factor),
  royalty_fee_base: exactNumber(auction.royalty_fee_base),
  max_bid: String(auction.max_bid),
  min_bid: String(auction.min_bid),
  last_bid_at: auction.last_bid_at,
  is_canceled: auction.is_canceled,
})

const telemintDetails = (item: TelemintEntity): Wire => ({
  token_name: item.token_name,
  bidder_address: addressText(item.bidder_address),
  bid: given(item.bid, String),
  bid_ts: given(item.bid_ts, String),
  min_bid: given(item.min_bid, String),
  end_time: item.end_time ?? undefined,
  beneficiary_address: addressText(item.beneficiary_address),
  initial_min_bid: String(item.initial_min_bid),
  max_bid: String(item.max_bid),
  min_bid_step: String(item.min_bid_step),
  min_extend_time: String(item.min_extend_time),
  duration: String(item.duration),
  royalty_numerator: exactNumber(item.royalty_numerator),
  royalty_denominator: exactNumber(item.royalty_denominator),
  royalty_destination: addressText(item.royalty_destination),
})

const detailsOf = ({ entity }: NftSaleRecord): Wire => {
  switch (entity._) {
    case 'getgems_sale':
      return saleDetails(entity)
    case 'getgems_auction':
      return auctionDetails(entity)
    case 'telemint':
      return telemintDetails(entity)
  }
}

/** The addresses in the details, but for those of fees. */
const partiesOf = ({ entity }: NftSaleRecord): (string | null)[] => {
  switch (entity._) {
    case 'getgems_sale':
      return [addressOrNull(entity.marketplace_fee_address), addressOrNull(entity.royalty_address)]
    case 'getgems_auction':
      return [entity.last_member, entity.mp_fee_address, entity.royalty_fee_address].map(addressOrNull)
    case 'telemint':
      return [entity.bidder_address, entity.beneficiary_address, entity.royalty_destination].map(addressOrNull)
  }
}

/** The address of the item that is sold: a telemint item sells itself. */
export const soldItem = ({ address, entity }: NftSaleRecord): Address =>
  entity._ === 'telemint' ? address : entity.nft_address

const headOf = ({ entity }: NftSaleRecord) =>
  entity._ === 'telemint'
    ? {}
    : {
        nft_owner_address: addressText(entity.nft_owner_address),
        marketplace_address: addressText(entity.marketplace_address),
        created_at: entity.created_at,
      }

/** NFTSale of contracts/v3.md 5.8; the item where it is known. */
export const nftSale = (record: NftSaleRecord, item: NftItemRecord | undefined): Row => {
  const address = rawAddressUpper(record.address)
  const nft_address = rawAddressUpper(soldItem(record))
  const nft_item = item && nftItem({ ...item, sale: null })
  const head = headOf(record)
  return {
    wire: {
      type: record.entity._,
      address,
      nft_address,
      ...head,
      last_transaction_lt: String(record.last_transaction_lt),
      code_hash: base64OrNull(record.code_hash) ?? undefined,
      data_hash: base64OrNull(record.data_hash) ?? undefined,
      details: detailsOf(record),
      nft_item: nft_item?.wire,
    },
    addresses: [
      address,
      nft_address,
      head.nft_owner_address ?? null,
      head.marketplace_address ?? null,
      ...partiesOf(record),
      ...(nft_item?.addresses ?? []),
    ],
  }
}
