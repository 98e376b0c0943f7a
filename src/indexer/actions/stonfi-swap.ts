import { decodeBody } from '../../contracts/body.ts'
import { accountIn, integerIn } from '../../contracts/fields.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'
import { swapTold } from './dex-content.ts'
import { jettonMoved, saidBy, transfersBehind, withAppended } from './dex-parts.ts'

const SWAP = 0x25938561
const PAYMENT_REQUEST = 0xf93bb43f
/** Exit codes that pools pay with. */
const SWAP_OK = 0xc64370e5n
const SWAP_OK_REFERRAL = 0x45078540n

/** The router's wallet of the asset that a swap is to give, in any version. */
const targetWallet = (payload: Cell | null | undefined): Address | null => {
  const said = payload ? decodeBody(payload) : undefined
  return accountIn(said, 'token_wallet') ?? accountIn(said, 'token_wallet1')
}

/** The payment to whoever swaps; others go to whoever sent them. */
const mainPayment = (start: Part): Part | undefined => {
  const user = accountIn(saidBy(start), 'from_user')
  const requests = start.next.filter((next) => calls(next, PAYMENT_REQUEST))
  const own = requests.filter((request) => integerIn(saidBy(request), 'exit_code') !== SWAP_OK_REFERRAL)
  const isOwned = (request: Part): boolean => {
    const owner = accountIn(saidBy(request), 'owner')
    return user !== null && owner !== null && sameAddress(user, owner)
  }
  return own.find(isOwned) ?? own[0] ?? requests.find(isOwned)
}

const incomingOf = (cause: Part) => {
  const moved = jettonMoved(cause)
  return { ...moved, destination_jetton_wallet: moved.destination_jetton_wallet ?? messageOf(cause).destination }
}

const assetOf = (wallet: Address | null, facts: Facts): Address | null =>
  (wallet && facts(wallet).jetton_wallet?.jetton) ?? null

/** A swap in one pool of the first version; one that did not succeed pays back what it was given. */
export const stonfiSwap: Matcher = {
  name: 'STON.fi swap',
  pattern: call(SWAP, { bare: true, parent: kind('jetton_transfer', { bare: true }) }),
  build: (start, _match, facts) => {
    const cause = start.previous!
    const request = mainPayment(start)
    const [paid] = transfersBehind(request)
    if (!request || !paid) return undefined
    const target_wallet = targetWallet(detailsOf(cause, 'jetton_transfer')?.forward_payload)
    const outgoing = jettonMoved(paid)
    return {
      of: [cause, start, ...withAppended([request, paid])],
      ...swapTold({
        dex: 'stonfi',
        incoming: incomingOf(cause),
        outgoing,
        asset_out: assetOf(target_wallet, facts) ?? outgoing.asset,
        target_wallet,
      }),
      failed: integerIn(saidBy(request), 'exit_code') !== SWAP_OK,
    }
  },
}
