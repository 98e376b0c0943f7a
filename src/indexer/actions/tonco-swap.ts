import { accountIn, inner, integerIn, needInteger } from '../../contracts/fields.ts'
import { type Fields, isFields } from '../../contracts/tlb/values.ts'
import { readToncoTarget } from '../../contracts/tonco-messages.ts'
import type { DexTransfer, PeerSwap } from '../../model/actions/dex.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf, type Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { swapTold } from './dex-content.ts'
import { type Hop, hopsFrom, partsOfHops } from './dex-hops.ts'
import { assetHeldBy, incomingTo, outgoingBy, payloadBehind, saidBy } from './dex-parts.ts'

const SWAP = 0xa7fb58f8
/** What a TONCO pool tells the router to pay. */
export const TONCO_PAY = 0xa1daa96d
const OK: readonly (bigint | undefined)[] = [0n, 200n]

/** The amounts and the router's wallets in what a pool tells it. */
export const coinsOf = (payment: Part): Fields | undefined => {
  const coins = inner(saidBy(payment).coins_info)
  return isFields(coins) ? coins : undefined
}

const isOf = (wallet: Address | null, swap: Part): boolean => {
  const given = accountIn(saidBy(swap), 'source_wallet')
  return wallet !== null && given !== null && sameAddress(wallet, given)
}

/** A pool whose price has come to the bound pays what it swapped, and gives back the rest of what it was given. */
const amountPaid = (payment: Part, swap: Part): bigint => {
  const coins = coinsOf(payment)
  const paid = ([0, 1] as const).map((at) => ({
    amount: needInteger(coins, `amount${at}`),
    isChange: isOf(accountIn(coins, `jetton${at}_address`), swap),
  }))
  const some = paid.filter(({ amount }) => amount > 0n)
  return (some.find(({ isChange }) => !isChange) ?? some[0])?.amount ?? 0n
}

const isChange = (transfer: Part, swap: Part): boolean => isOf(messageOf(transfer).destination, swap)

const ROUTES = { swap: SWAP, pay: TONCO_PAY, amountPaid, isChange }

const isDone = (payment: Part): boolean => OK.includes(integerIn(saidBy(payment), 'exit_code'))

/** What each pool swapped; one that gave back what it was given swapped nothing. */
const swapsOf = (hops: readonly Hop[], given: DexTransfer, outgoing: DexTransfer): PeerSwap[] => {
  let { asset, amount } = given
  return hops
    .filter(({ payments }) => payments.every(isDone))
    .map(({ passed: [transfer], paid }) => {
      const asset_out = transfer ? outgoingBy(transfer).transfer.asset : outgoing.asset
      const swap = { asset_in: asset, amount_in: amount, asset_out, amount_out: paid }
      asset = asset_out
      amount = paid
      return swap
    })
}

/** What was asked for: a swap that failed gives back something else. Undefined where it is not told. */
const askedFor = (cause: Part | null, facts: Facts): { asset: Address | null; min_out_amount: bigint } | undefined => {
  const payload = payloadBehind(cause)
  const target = payload && readToncoTarget(payload)
  const asset = assetHeldBy(target?.wallet, facts)
  return target && asset !== undefined ? { asset, min_out_amount: target.min_out_amount } : undefined
}

/** A swap through one pool of TONCO or more. */
export const toncoSwap: Matcher = {
  name: 'TONCO swap',
  pattern: call(SWAP, { bare: true }),
  build: (start, _match, facts) => {
    const incoming = incomingTo(start.previous)
    const found = incoming && hopsFrom(start, ROUTES)
    if (!found) return undefined
    const { hops, outgoing } = found
    const failed = !hops.flatMap(({ payments }) => payments).every(isDone)
    const asked = failed ? askedFor(start.previous, facts) : undefined
    return {
      of: [...incoming.parts, ...partsOfHops(hops), ...outgoing.parts],
      ...swapTold({
        dex: 'tonco',
        incoming: incoming.transfer,
        outgoing: outgoing.transfer,
        asset_out: asked ? asked.asset : outgoing.transfer.asset,
        hops: swapsOf(hops, incoming.transfer, outgoing.transfer),
        min_out_amount: asked?.min_out_amount ?? hops.at(-1)!.paid,
      }),
      failed,
    }
  },
}
