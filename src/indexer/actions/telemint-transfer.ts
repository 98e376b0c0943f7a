import {
  NFT_OWNERSHIP_ASSIGNED,
  payloadOf,
  readBidInfo,
  readOwnershipAssigned,
} from '../../contracts/token-messages.ts'
import type { NftTransferDetails } from '../../model/actions/nft.ts'
import type { Matcher } from '../classify/family.ts'
import { sentLt } from '../classify/node.ts'
import { calls, isCall, messageOf, type Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { commentIn } from './jetton-content.ts'
import { NO_PURCHASE, nftTransferTold } from './nft-content.ts'

const FILL_UP = 0x370fec51
const TELEMINT_DEPLOY = 0x299a3e15

const isMint = (cause: Part | null): boolean =>
  cause !== null && (calls(cause, TELEMINT_DEPLOY) || cause.btype === 'nft_mint')

/** The bid that was the last, or the message from outside that ended the auction. */
const paidWith = (cause: Part | null): Part | undefined =>
  cause && (cause.btype === 'ton_transfer' || (isCall(cause) && messageOf(cause).kind === 'ext_in')) ? cause : undefined

/** What the item sent on when it was sold: the fee first, where there is one. */
const payoutsBehind = (cause: Part | undefined): Part[] =>
  (cause?.next ?? [])
    .filter((part) => calls(part, FILL_UP))
    .sort((a, b) => (sentLt(a.nodes[0]!) < sentLt(b.nodes[0]!) ? -1 : 1))

type Payouts = Pick<NftTransferDetails, 'payout_amount' | 'payout_address' | 'royalty_amount' | 'royalty_address'>

const toldPayouts = (payouts: readonly Part[]): Payouts => {
  const [first, second] = payouts.map(messageOf)
  const payout = second ?? first
  const royalty = second && first
  return {
    payout_amount: payout?.value ?? null,
    payout_address: payout?.destination ?? null,
    royalty_amount: royalty?.value ?? null,
    royalty_address: royalty?.destination ?? null,
  }
}

/** A known item that tells its owner that it is theirs, without having been asked: usernames and numbers that were sold. */
export const telemintTransfer: Matcher = {
  name: 'telemint transfer',
  pattern: call(NFT_OWNERSHIP_ASSIGNED, { bare: true }),
  build: (start, _match, facts) => {
    const { source: nft_item, destination: new_owner, body } = messageOf(start)
    const item = nft_item && facts(nft_item).nft_item
    const assigned = readOwnershipAssigned(body)
    if (!item || !assigned) return undefined
    const forward_payload = payloadOf(assigned)
    const bid = forward_payload ? readBidInfo(forward_payload) : undefined
    const cause = bid === undefined ? undefined : paidWith(start.previous)
    const payouts = payoutsBehind(cause)
    const isPurchase = bid !== undefined && !isMint(start.previous)
    return {
      with: [...payouts, ...(cause ? [cause] : [])],
      ...nftTransferTold('nft_transfer', {
        ...NO_PURCHASE,
        nft_collection: item.collection_address,
        nft_item,
        nft_item_index: item.index,
        old_owner: assigned.prev_owner,
        new_owner,
        is_purchase: isPurchase,
        price: isPurchase ? bid : null,
        query_id: assigned.query_id,
        response_destination: null,
        custom_payload: null,
        forward_payload,
        forward_amount: null,
        ...commentIn(forward_payload),
        marketplace: bid === undefined ? null : 'fragment',
        ...toldPayouts(payouts),
      }),
      failed: false,
    }
  },
}
