import { accountIn, integerIn, recordIn } from '../../contracts/fields.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { isTeleitem } from './teleitem.ts'

const START = 0x487a8e81
const CANCEL = 0x371638ae
const OK = 0xa37a0983

const itemAt = (address: Address | null, facts: Facts) => {
  const { nft_item, telemint } = address ? facts(address) : {}
  return nft_item && (telemint || isTeleitem(nft_item)) ? nft_item : undefined
}

/** A username or number whose owner starts an auction: the item is its own auction. */
export const teleitemStartAuction: Matcher = {
  name: 'auction that an item starts',
  pattern: call(START, { bare: true, child: maybe(call(OK)) }),
  build: (start, _match, facts) => {
    const { source: owner, destination: nft_item } = messageOf(start)
    const item = itemAt(nft_item, facts)
    if (!item || !nft_item) return undefined
    const config = recordIn(start.nodes[0]!.said(), 'auction_config')
    const nft_collection = item.collection_address
    return {
      btype: 'teleitem_start_auction',
      content: {
        type: 'teleitem_start_auction',
        details: {
          nft_collection,
          nft_item,
          nft_item_index: item.index,
          owner,
          listing_address: null,
          auction_address: nft_item,
          marketplace_address: null,
          marketplace_fee_factor: 0n,
          marketplace_fee_base: 0n,
          royalty_fee_base: 0n,
          max_bid: integerIn(config, 'max_bid') ?? null,
          min_bid: integerIn(config, 'initial_min_bid') ?? null,
          marketplace_fee_address: accountIn(config, 'beneficiary_address'),
          royalty_address: null,
          marketplace: 'fragment',
        },
      },
      columns: { source: owner, destination: nft_item, asset: nft_collection, asset_secondary: nft_item },
      failed: start.nodes[0]!.failed,
    }
  },
}

/** An auction without bids that the owner of the item ends. */
export const teleitemCancelAuction: Matcher = {
  name: 'auction that an item gives up',
  pattern: call(CANCEL, { bare: true, child: maybe(call(OK)) }),
  build: (start, _match, facts) => {
    const { source: owner, destination: nft_item } = messageOf(start)
    const item = itemAt(nft_item, facts)
    if (!item || !nft_item) return undefined
    const nft_collection = item.collection_address
    return {
      btype: 'teleitem_cancel_auction',
      content: {
        type: 'teleitem_cancel_auction',
        details: {
          owner,
          nft_item,
          nft_collection,
          auction_address: nft_item,
          marketplace_address: null,
          marketplace: 'fragment',
        },
      },
      columns: { source: owner, destination: nft_item, asset: nft_collection, asset_secondary: nft_item },
      failed: start.nodes[0]!.failed,
    }
  },
}
