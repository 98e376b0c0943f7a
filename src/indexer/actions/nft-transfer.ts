import { NFT_OWNERSHIP_ASSIGNED, payloadOf, readOwnershipAssigned } from '../../contracts/token-messages.ts'
import { NFT_TRANSFER, readNftTransfer } from '../../contracts/transfer-bodies.ts'
import type { NftTransferDetails } from '../../model/actions/nft.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, isCall, messageOf, type Part } from '../classify/part.ts'
import { call, EXCESS, maybe, oneOf } from '../classify/pattern.ts'
import { commentIn } from './jetton-content.ts'
import { NO_PURCHASE, nftTransferTold } from './nft-content.ts'

interface Trade {
  nft_address: Address
  nft_owner_address: Address | null
  marketplace_address: Address | null
  price: bigint
}

/** What is for sale where the item was sent from: a sale that its new owner sent TON to, or an auction, whatever ended it. */
const tradeAt = (start: Part, newOwner: Address | null, facts: Facts): Trade | undefined => {
  const cause = start.previous?.nodes[0]
  if (!cause) return undefined
  const { getgems_sale: sale, getgems_auction: auction } = facts(cause.transaction.account)
  const buyer = detailsOf(start.previous, 'ton_transfer')?.source
  if (sale && buyer && newOwner && sameAddress(buyer, newOwner)) return { ...sale, price: sale.full_price }
  return auction && { ...auction, price: auction.last_bid }
}

type Purchase = Pick<NftTransferDetails, keyof typeof NO_PURCHASE>

/** How the new owner came to buy the item; undefined for an item that was not sold. */
const purchaseOf = (start: Part, item: Address, newOwner: Address | null, facts: Facts): Purchase | undefined => {
  const trade = tradeAt(start, newOwner, facts)
  if (!trade?.nft_owner_address || !sameAddress(trade.nft_address, item)) return undefined
  if (newOwner && sameAddress(trade.nft_owner_address, newOwner)) return undefined
  return {
    ...NO_PURCHASE,
    is_purchase: true,
    price: trade.price,
    marketplace: 'getgems',
    real_old_owner: trade.nft_owner_address,
    marketplace_address: trade.marketplace_address,
  }
}

/** Words by which an auction is asked to end: what they cause is more than a purchase. */
const ENDS: ReadonlySet<string | null> = new Set(['finish', 'stop'])

/** True for a message that asked an auction to end. */
export const isAskedToEnd = (part: Part | null): boolean => {
  const details = detailsOf(part, 'ton_transfer')
  return details !== undefined && ENDS.has(details.comment)
}

/** What was paid with, or the message from outside that ended an auction. */
const payment = (start: Part): Part[] => {
  const cause = start.previous
  if (!cause) return []
  const isPayment =
    cause.btype === 'ton_transfer' ? !isAskedToEnd(cause) : isCall(cause) && cause.nodes[0]?.message?.kind === 'ext_in'
  return isPayment ? [cause] : []
}

/** TEP-62: a known item gets a new owner, who may have bought it from a known sale or auction. */
export const nftTransfer: Matcher = {
  name: 'NFT transfer',
  pattern: call(NFT_TRANSFER, {
    bare: true,
    child: maybe(oneOf(call(NFT_OWNERSHIP_ASSIGNED, { as: 'assigned' }), call(EXCESS))),
  }),
  build: (start, match, facts) => {
    const { source, destination: nft_item, body } = messageOf(start)
    const item = nft_item && facts(nft_item).nft_item
    const asked = readNftTransfer(body)
    if (!item || !asked) return undefined
    const assigned = match.one('assigned')
    const told = assigned && readOwnershipAssigned(messageOf(assigned).body)
    const new_owner = accountOf(asked.new_owner)
    const purchase = purchaseOf(start, nft_item, new_owner, facts)
    const forward_payload = payloadOf(asked)
    return {
      with: purchase ? payment(start) : [],
      ...nftTransferTold('nft_transfer', {
        nft_collection: item.collection_address,
        nft_item,
        nft_item_index: item.index,
        old_owner: told ? told.prev_owner : source,
        new_owner,
        query_id: asked.query_id,
        response_destination: accountOf(asked.response_destination),
        custom_payload: asked.custom_payload,
        forward_payload,
        forward_amount: asked.forward_amount,
        ...commentIn(forward_payload),
        ...(purchase ?? NO_PURCHASE),
      }),
      failed: start.failed,
    }
  },
}
