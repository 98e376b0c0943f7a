import { inner, integerIn, needInteger } from '../../contracts/fields.ts'
import { type Fields, isFields } from '../../contracts/tlb/values.ts'
import type { DexTransfer, PeerSwap } from '../../model/actions/dex.ts'
import type { Matcher } from '../classify/family.ts'
import type { Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { swapTold } from './dex-content.ts'
import { type Hop, hopsFrom, partsOfHops } from './dex-hops.ts'
import { incomingTo, outgoingBy, saidBy } from './dex-parts.ts'

const SWAP = 0xa7fb58f8
/** What a TONCO pool tells the router to pay. */
export const TONCO_PAY = 0xa1daa96d
const OK: readonly (bigint | undefined)[] = [0n, 200n]

/** The amounts and the router's wallets in what a pool tells it. */
export const coinsOf = (payment: Part): Fields | undefined => {
  const coins = inner(saidBy(payment).coins_info)
  return isFields(coins) ? coins : undefined
}

const amountPaid = (payment: Part): bigint =>
  needInteger(coinsOf(payment), 'amount0') || needInteger(coinsOf(payment), 'amount1')

const ROUTES = { swap: SWAP, pay: TONCO_PAY, amountPaid }

const swapsOf = (hops: readonly Hop[], given: DexTransfer, outgoing: DexTransfer): PeerSwap[] => {
  let { asset, amount } = given
  return hops.map(({ passed: [transfer], paid }) => {
    const asset_out = transfer ? outgoingBy(transfer).transfer.asset : outgoing.asset
    const swap = { asset_in: asset, amount_in: amount, asset_out, amount_out: paid }
    asset = asset_out
    amount = paid
    return swap
  })
}

/** A swap through one pool of TONCO or more. */
export const toncoSwap: Matcher = {
  name: 'TONCO swap',
  pattern: call(SWAP, { bare: true }),
  build: (start) => {
    const incoming = incomingTo(start.previous)
    const found = incoming && hopsFrom(start, ROUTES)
    if (!found) return undefined
    const { hops, outgoing } = found
    const payments = hops.flatMap((hop) => hop.payments)
    return {
      of: [...incoming.parts, ...partsOfHops(hops), ...outgoing.parts],
      ...swapTold({
        dex: 'tonco',
        incoming: incoming.transfer,
        outgoing: outgoing.transfer,
        hops: swapsOf(hops, incoming.transfer, outgoing.transfer),
        min_out_amount: hops.at(-1)!.paid,
      }),
      failed: payments.some((payment) => !OK.includes(integerIn(saidBy(payment), 'exit_code'))),
    }
  },
}
