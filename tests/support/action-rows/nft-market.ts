import type { NftPutOnAuctionDetails } from '../../../src/model/actions/nft-market.ts'
import type { RowData } from './row-data.ts'

const auction = (details: NftPutOnAuctionDetails) => ({
  nft_listing_data: {
    nft_item_index: details.nft_item_index,
    mp_fee_factor: details.marketplace_fee_factor,
    mp_fee_base: details.marketplace_fee_base,
    royalty_fee_base: details.royalty_fee_base,
    max_bid: details.max_bid,
    min_bid: details.min_bid,
    marketplace_fee_address: details.marketplace_fee_address,
    royalty_address: details.royalty_address,
    marketplace: details.marketplace,
    marketplace_address: details.marketplace_address,
  },
})

export const NFT_MARKET_ROWS: RowData = {
  nft_put_on_sale: (details) => ({ nft_listing_data: details }),
  nft_put_on_auction: auction,
  teleitem_start_auction: auction,
  nft_update_sale: ({ full_price, marketplace_fee, royalty_amount }) => ({
    nft_listing_data: { full_price, marketplace_fee, royalty_amount },
  }),
  auction_bid: ({ nft_item_index }) => ({ nft_transfer_data: { nft_item_index } }),
}
