import { accountIn, inner, integerIn, needInteger, recordIn } from '../../contracts/fields.ts'
import { type Fields, isFields } from '../../contracts/tlb/values.ts'
import type { DexTransfer, PeerSwap } from '../../model/actions/dex.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import type { Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { swapTold } from './dex-content.ts'
import { type Hop, hopsFrom, partsOfHops } from './dex-hops.ts'
import { assetHeldBy, incomingTo, outgoingBy, saidBy } from './dex-parts.ts'

const SWAP = 0x6664de2a
const PAY_TO = 0x657b54f5
/** The exit code that a pool pays with for a swap that succeeded. */
const SWAP_OK = 0xc64370e5n

/** The amount that a pool tells a router to pay. */
const amountPaid = (payment: Part): bigint => {
  const info = recordIn(saidBy(payment), '')
  return needInteger(info, 'amount0_out') || needInteger(info, 'amount1_out')
}

const ROUTES = { swap: SWAP, pay: PAY_TO, amountPaid }

const swapBody = (swap: Part): Fields | undefined => recordIn(saidBy(swap), 'dex_payload')

/** The routers' wallets of the assets that a swap asks for: one for each pool that it is to go through. */
const routeOf = (swap: Part): Address[] => {
  const wallets: Address[] = []
  for (let body = swapBody(swap); body; ) {
    const wallet = accountIn(body, 'token_wallet1')
    if (!wallet) break
    wallets.push(wallet)
    const next = inner(recordIn(body, 'cross_swap_body')?.custom_payload)
    body = isFields(next) ? next : undefined
  }
  return wallets
}

const isDone = (payment: Part): boolean => integerIn(saidBy(payment), 'exit_code') === SWAP_OK

/** What each pool swapped; one that gave back what it was given swapped nothing. */
const swapsOf = (hops: readonly Hop[], given: DexTransfer, outgoing: DexTransfer, facts: Facts): PeerSwap[] => {
  let { asset, amount } = given
  const done = hops.filter(({ payments }) => payments.every(isDone))
  return done.map((hop) => {
    const [transfer] = hop.passed
    const moved = transfer ? outgoingBy(transfer).transfer.asset : undefined
    const last = hop === hops.at(-1) ? outgoing.asset : null
    const asset_out = assetHeldBy(accountIn(swapBody(hop.swap), 'token_wallet1'), facts) ?? moved ?? last
    const swap = { asset_in: asset, amount_in: amount, asset_out, amount_out: hop.paid }
    asset = asset_out
    amount = hop.paid
    return swap
  })
}

/** A swap through one pool or more of the second version, of one router or several. */
export const stonfiV2Swap: Matcher = {
  name: 'STON.fi v2 swap',
  pattern: call(SWAP, { bare: true }),
  build: (start, _match, facts) => {
    const incoming = incomingTo(start.previous)
    const found = incoming && hopsFrom(start, ROUTES)
    if (!found) return undefined
    const { hops, outgoing } = found
    const failed = !hops.flatMap(({ payments }) => payments).every(isDone)
    const asked = failed ? assetHeldBy(routeOf(start).at(-1), facts) : undefined
    return {
      of: [...incoming.parts, ...partsOfHops(hops), ...outgoing.parts],
      ...swapTold({
        dex: 'stonfi_v2',
        incoming: incoming.transfer,
        outgoing: outgoing.transfer,
        asset_out: asked === undefined ? outgoing.transfer.asset : asked,
        hops: swapsOf(hops, incoming.transfer, outgoing.transfer, facts),
      }),
      failed,
    }
  },
}
