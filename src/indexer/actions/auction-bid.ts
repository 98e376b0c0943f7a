import type { Facts, KnownAccount } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { isDeployment } from '../classify/node.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { kind } from '../classify/pattern.ts'
import { nameAt } from './dns.ts'
import { isTeleitem } from './teleitem.ts'

const OUTBID = 0x557cea20
/** What a marketplace writes to whoever gets a bid back. */
const OUTBID_COMMENT = 'Your bid has been outbid by another user'
/** Words for an auction that are no bids. */
const ORDERS: ReadonlySet<string | null> = new Set(['cancel', 'finish', 'stop'])

type Item = NonNullable<KnownAccount['nft_item']>

/** What is bid for at an account. */
const auctionedAt = (
  auction: Address,
  start: Part,
  facts: Facts,
): { nft_item: Address; item: Item | undefined } | undefined => {
  const { getgems_auction, nft_item } = facts(auction)
  if (getgems_auction)
    return { nft_item: getgems_auction.nft_address, item: facts(getgems_auction.nft_address).nft_item }
  if (!nft_item) return undefined
  const isBid = nameAt(auction, facts) ? start.next.some((part) => calls(part, OUTBID)) : isTeleitem(nft_item)
  return isBid ? { nft_item: auction, item: nft_item } : undefined
}

/** TON for an auction of getgems, for a username or number, or for a name whose last bid is given back then. */
export const auctionBid: Matcher = {
  name: 'bid at an auction',
  pattern: kind('ton_transfer', { bare: true }),
  at: ['getgems_auction', 'nft_item'],
  build: (start, _match, facts) => {
    const { source: bidder, destination: auction, value: amount, comment } = detailsOf(start, 'ton_transfer')!
    if (start.nodes.some(isDeployment) || ORDERS.has(comment)) return undefined
    const found = auctionedAt(auction, start, facts)
    if (!found) return undefined
    const { nft_item, item } = found
    const nft_collection = item?.collection_address ?? null
    return {
      of: [start],
      btype: 'auction_bid',
      content: {
        type: 'auction_bid',
        details: { amount, bidder, auction, nft_item, nft_collection, nft_item_index: item?.index ?? null },
      },
      columns: {
        source: bidder,
        destination: auction,
        asset: nft_collection,
        asset_secondary: nft_item,
        value: amount,
      },
      failed: start.failed,
    }
  },
}

/** The messages by which an auction gives a bid back. */
const refundsOf = (bid: Part, auction: Address): Part[] =>
  bid.next.filter((part) => {
    const transfer = detailsOf(part, 'ton_transfer')
    const isRefund = transfer ? (transfer.comment ?? '').includes(OUTBID_COMMENT) : calls(part, OUTBID)
    if (!isRefund) return false
    const { source } = messageOf(part)
    return source !== null && sameAddress(source, auction)
  })

/** A bid that was the highest until now, and is given back. */
export const auctionOutbid: Matcher = {
  name: 'bid that is given back',
  pattern: kind('auction_bid', { bare: true }),
  build: (start) => {
    const { auction, bidder: new_bidder, nft_item, nft_collection } = detailsOf(start, 'auction_bid')!
    const refunds = refundsOf(start, auction)
    const refund = refunds[0]
    if (!refund || refunds.length > 1) return undefined
    const { destination: bidder, value: amount } = messageOf(refund)
    const transfer = detailsOf(refund, 'ton_transfer')
    return {
      of: [refund],
      btype: 'auction_outbid',
      content: {
        type: 'auction_outbid',
        details: {
          auction_address: auction,
          bidder,
          new_bidder,
          nft_item,
          nft_collection,
          amount,
          comment: transfer?.comment ?? null,
          marketplace: transfer ? 'getgems' : 'fragment',
        },
      },
      columns: {
        source: auction,
        source_secondary: new_bidder,
        destination: bidder,
        asset: nft_collection,
        asset_secondary: nft_item,
        amount,
      },
      failed: refund.failed,
    }
  },
}
