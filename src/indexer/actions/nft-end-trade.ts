import type { ActionContent } from '../../model/action.ts'
import type { NftTransferDetails } from '../../model/actions/nft.ts'
import type { KnownAuction, KnownSale } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind, where } from '../classify/pattern.ts'

const CANCEL_SALE = 0x00000003
const CANCEL = 0x5616c572
const FINISH: readonly number[] = [0x20c9eb18, 0xb95616b6]
const FINISH_WORDS: readonly string[] = ['finish', 'stop']
const CANCEL_WORD = 'cancel'

const commentOf = (part: Part): string | null => detailsOf(part, 'ton_transfer')?.comment ?? null

const saysFinish = (part: Part): boolean => calls(part, ...FINISH) || FINISH_WORDS.includes(commentOf(part) ?? '')

const saysCancel = (part: Part): boolean => calls(part, CANCEL) || commentOf(part) === CANCEL_WORD

type Ended = Extract<ActionContent, { type: 'nft_cancel_sale' | 'nft_cancel_auction' | 'nft_finish_auction' }>

const told = (start: Part, content: Ended, trade: Address): Made => {
  const { owner, nft_item, nft_collection } = content.details
  return {
    of: [start],
    btype: content.type,
    content,
    columns: { source: owner, destination: trade, asset: nft_collection, asset_secondary: nft_item },
    failed: start.failed,
  }
}

/** What of the item's move tells how the trade ended; undefined for an item that was not for sale there. */
const endOf = (moved: NftTransferDetails, trade: KnownSale | KnownAuction | undefined) => {
  if (!trade || !sameAddress(moved.nft_item, trade.nft_address)) return undefined
  const { new_owner: owner, nft_item, nft_collection } = moved
  return { owner, nft_item, nft_collection, marketplace_address: trade.marketplace_address, marketplace: 'getgems' }
}

/** A sale that is taken back, so that the item goes back to its owner. */
export const nftCancelSale: Matcher = {
  name: 'sale that is taken back',
  pattern: call(CANCEL_SALE, { bare: true, child: kind('nft_transfer', { as: 'moved', bare: true }) }),
  build: (start, match, facts) => {
    const { destination: sale_address } = messageOf(start)
    const moved = detailsOf(match.one('moved'), 'nft_transfer')
    const end = sale_address && moved && endOf(moved, facts(sale_address).getgems_sale)
    if (!end) return undefined
    const { marketplace_address, marketplace, ...trade } = end
    const details = { ...trade, sale_address, marketplace_address, marketplace }
    return told(start, { type: 'nft_cancel_sale', details }, sale_address)
  },
}

const endAuction =
  (type: 'nft_cancel_auction' | 'nft_finish_auction', moves: 'nft_transfer' | 'nft_purchase'): Matcher['build'] =>
  (start, match, facts) => {
    const { destination: auction_address } = messageOf(start)
    const moved = detailsOf(match.one('moved'), moves)
    const end = auction_address && moved && endOf(moved, facts(auction_address).getgems_auction)
    if (!end) return undefined
    const { marketplace_address, marketplace, ...trade } = end
    const isFinished = type === 'nft_finish_auction' || saysFinish(start)
    const details = { ...trade, auction_address, marketplace_address, marketplace }
    return told(start, { type: isFinished ? 'nft_finish_auction' : 'nft_cancel_auction', details }, auction_address)
  }

const moving = (moves: string) => ({ bare: true, child: kind(moves, { as: 'moved', bare: true }) })

/** An auction that is asked to end, so that its winner gets the item. */
export const nftFinishAuction: Matcher = {
  name: 'auction that ends in a purchase',
  pattern: where(saysFinish, moving('nft_purchase')),
  begins: { opcodes: FINISH, comments: FINISH_WORDS },
  build: endAuction('nft_finish_auction', 'nft_purchase'),
}

/** An auction that is asked to end or to be given up, so that the item goes to someone. */
export const nftCancelAuction: Matcher = {
  name: 'auction that ends',
  pattern: where((part) => saysCancel(part) || saysFinish(part), moving('nft_transfer')),
  begins: { opcodes: [CANCEL, ...FINISH], comments: [CANCEL_WORD, ...FINISH_WORDS] },
  build: endAuction('nft_cancel_auction', 'nft_transfer'),
}
