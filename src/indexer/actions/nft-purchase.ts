import { sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, type Part } from '../classify/part.ts'
import { kind } from '../classify/pattern.ts'
import { nftTransferTold } from './nft-content.ts'
import { isAskedToEnd } from './nft-transfer.ts'

/** What was caused together with the transfer. */
const alongside = ({ previous, next }: Part): readonly Part[] =>
  previous && isAskedToEnd(previous) ? previous.next : next

/** A getgems purchase together with what its seller was paid. */
export const nftPurchase: Matcher = {
  name: 'NFT purchase',
  pattern: kind('nft_transfer', { bare: true }),
  build: (start) => {
    const transfer = detailsOf(start, 'nft_transfer')
    const seller = transfer?.real_old_owner
    if (!transfer?.is_purchase || transfer.marketplace !== 'getgems' || !seller) return undefined
    const payouts = alongside(start).map((part) => ({ part, details: detailsOf(part, 'ton_transfer') }))
    const payout = payouts.find(({ details }) => details !== undefined && sameAddress(details.destination, seller))
    if (!payout?.details) return undefined
    const { value, comment, encrypted } = payout.details
    return {
      with: [payout.part],
      ...nftTransferTold('nft_purchase', {
        ...transfer,
        payout_amount: value,
        payout_address: seller,
        payout_comment: comment,
        payout_comment_encrypted: encrypted,
        payout_comment_encoded: encrypted && comment !== null,
      }),
      failed: start.failed,
    }
  },
}
