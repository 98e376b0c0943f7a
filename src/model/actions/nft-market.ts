import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Amounts in nano-units; `marketplace` is the name of what the trade goes through. */
export type NftPutOnSaleDetails = {
  nft_collection: Address | null
  nft_item: Address
  nft_item_index: bigint
  owner: Address | null
  listing_address: Address | null
  sale_address: Address
  marketplace_address: Address | null
  full_price: bigint
  marketplace_fee: bigint | null
  royalty_amount: bigint | null
  marketplace_fee_address: Address | null
  royalty_address: Address | null
  marketplace: string
}

/** The fee of the marketplace is `marketplace_fee_factor / marketplace_fee_base` of the price. */
export type NftPutOnAuctionDetails = {
  nft_collection: Address | null
  nft_item: Address
  nft_item_index: bigint
  owner: Address | null
  listing_address: Address | null
  auction_address: Address
  marketplace_address: Address | null
  marketplace_fee_factor: bigint | null
  marketplace_fee_base: bigint | null
  royalty_fee_base: bigint | null
  max_bid: bigint | null
  min_bid: bigint | null
  marketplace_fee_address: Address | null
  royalty_address: Address | null
  marketplace: string
}

type Trade = {
  owner: Address | null
  nft_item: Address
  nft_collection: Address | null
}
type Market = { marketplace_address: Address | null; marketplace: string }

export type NftCancelSaleDetails = Trade & { sale_address: Address } & Market
export type NftEndAuctionDetails = Trade & { auction_address: Address } & Market

export type NftUpdateSaleDetails = {
  source: Address | null
  sale_contract: Address
  nft_address: Address
  marketplace_address: Address | null
  marketplace: string
  full_price: bigint
  marketplace_fee: bigint
  royalty_amount: bigint
}

export type NftDiscoveryDetails = {
  source: Address | null
  nft_item: Address | null
  nft_collection: Address | null
  nft_item_index: bigint
}

export type AuctionBidDetails = {
  amount: bigint
  bidder: Address
  auction: Address
  nft_item: Address
  nft_collection: Address | null
  nft_item_index: bigint | null
}

/** `bidder` is the one who gets the bid back. */
export type AuctionOutbidDetails = {
  auction_address: Address
  bidder: Address | null
  new_bidder: Address
  nft_item: Address
  nft_collection: Address | null
  amount: bigint
  comment: string | null
  marketplace: string | null
}

export type NftMarketAction =
  | ActionOf<'nft_put_on_sale', NftPutOnSaleDetails>
  | ActionOf<'nft_put_on_auction' | 'teleitem_start_auction', NftPutOnAuctionDetails>
  | ActionOf<'nft_cancel_sale', NftCancelSaleDetails>
  | ActionOf<'nft_cancel_auction' | 'nft_finish_auction' | 'teleitem_cancel_auction', NftEndAuctionDetails>
  | ActionOf<'nft_update_sale', NftUpdateSaleDetails>
  | ActionOf<'nft_discovery', NftDiscoveryDetails>
  | ActionOf<'auction_bid', AuctionBidDetails>
  | ActionOf<'auction_outbid', AuctionOutbidDetails>
