import type { NftTransferDetails } from '../../model/actions/nft.ts'
import type { KnownAuction, KnownSale } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { isDeployment } from '../classify/node.ts'
import { detailsOf, isCall, messageOf, type Part } from '../classify/part.ts'
import { kind, where } from '../classify/pattern.ts'

const isDeployed = (part: Part): boolean =>
  (isCall(part) || part.btype === 'ton_transfer') && part.nodes.some(isDeployment)

const isSameOrNone = (a: Address | null, b: Address | null): boolean => (a && b ? sameAddress(a, b) : a === b)

const columnsOf = (listed: NftTransferDetails, owner: Address | null, trade: Address): Made['columns'] => ({
  source: owner,
  source_secondary: listed.new_owner,
  destination: trade,
  asset: listed.nft_collection,
  asset_secondary: listed.nft_item,
})

const saleTold = (listed: NftTransferDetails, sale_address: Address, sale: KnownSale, failed: boolean): Made => {
  const owner = sale.nft_owner_address
  return {
    btype: 'nft_put_on_sale',
    content: {
      type: 'nft_put_on_sale',
      details: {
        nft_collection: listed.nft_collection,
        nft_item: listed.nft_item,
        nft_item_index: listed.nft_item_index,
        owner,
        listing_address: listed.new_owner,
        sale_address,
        marketplace_address: sale.marketplace_address,
        full_price: sale.full_price,
        marketplace_fee: sale.marketplace_fee ?? null,
        royalty_amount: sale.royalty_amount ?? null,
        marketplace_fee_address: sale.marketplace_fee_address ?? null,
        royalty_address: sale.royalty_address ?? null,
        marketplace: 'getgems',
      },
    },
    columns: columnsOf(listed, owner, sale_address),
    failed,
  }
}

const auctionTold = (listed: NftTransferDetails, at: Address, auction: KnownAuction, failed: boolean): Made => {
  const owner = auction.nft_owner_address
  return {
    btype: 'nft_put_on_auction',
    content: {
      type: 'nft_put_on_auction',
      details: {
        nft_collection: listed.nft_collection,
        nft_item: listed.nft_item,
        nft_item_index: listed.nft_item_index,
        owner,
        listing_address: listed.new_owner,
        auction_address: at,
        marketplace_address: auction.marketplace_address,
        marketplace_fee_factor: auction.mp_fee_factor ?? null,
        marketplace_fee_base: auction.mp_fee_base ?? null,
        royalty_fee_base: auction.royalty_fee_base ?? null,
        max_bid: auction.max_bid ?? null,
        min_bid: auction.min_bid ?? null,
        marketplace_fee_address: auction.mp_fee_address ?? null,
        royalty_address: auction.royalty_fee_address ?? null,
        marketplace: 'getgems',
      },
    },
    columns: columnsOf(listed, owner, at),
    failed,
  }
}

/** An item that is given to a marketplace, which deploys a sale or an auction and hands the item on to it. */
export const nftPutOnSale: Matcher = {
  name: 'NFT that is put up for sale',
  pattern: kind('nft_transfer', {
    bare: true,
    children: [where(isDeployed, { as: 'trade', bare: true }), kind('nft_transfer', { as: 'handed', bare: true })],
  }),
  build: (start, match, facts) => {
    const listed = detailsOf(start, 'nft_transfer')!
    const handed = detailsOf(match.one('handed'), 'nft_transfer')
    const at = messageOf(match.one('trade')!).destination
    if (!handed?.new_owner || !at || !sameAddress(handed.new_owner, at)) return undefined
    if (!sameAddress(handed.nft_item, listed.nft_item)) return undefined
    const { getgems_sale, getgems_auction } = facts(at)
    const trade = getgems_sale ?? getgems_auction
    if (!trade || !sameAddress(trade.nft_address, listed.nft_item)) return undefined
    if (!isSameOrNone(trade.nft_owner_address, listed.old_owner)) return undefined
    if (getgems_sale) return saleTold(listed, at, getgems_sale, start.failed)
    return getgems_auction && auctionTold(listed, at, getgems_auction, start.failed)
  },
}
