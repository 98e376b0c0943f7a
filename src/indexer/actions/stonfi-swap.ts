import { decodeBody } from '../../contracts/body.ts'
import { accountIn, integerIn, recordIn } from '../../contracts/fields.ts'
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

/** The router's wallet of the asset that a swap is to give, as whoever swaps says. */
const targetWallet = (payload: Cell | null | undefined): Address | null =>
  accountIn(payload ? decodeBody(payload) : undefined, 'token_wallet')

/** What a pool tells its router to pay, and the transfer by which it does. */
interface Payment {
  request: Part
  paid: Part
  owner: Address | null
  exit_code: bigint | undefined
  amount: bigint
  /** The router's wallet that pays. */
  wallet: Address | null
}

const paymentsOf = (start: Part): Payment[] =>
  start.next.flatMap((request) => {
    const [paid] = calls(request, PAYMENT_REQUEST) ? transfersBehind(request) : []
    if (!paid) return []
    const said = saidBy(request)
    const params = recordIn(said, 'params')
    const [first, second] = [integerIn(params, 'amount0_out') ?? 0n, integerIn(params, 'amount1_out') ?? 0n]
    return {
      request,
      paid,
      owner: accountIn(said, 'owner'),
      exit_code: integerIn(said, 'exit_code'),
      amount: first || second,
      wallet: accountIn(params, first ? 'token0_address' : 'token1_address'),
    }
  })

/** The payments that are no referral's by their code, that to whoever swaps first: of several the largest. */
const ownPayments = (start: Part): Payment[] => {
  const user = accountIn(saidBy(start), 'from_user')
  const isOwned = ({ owner }: Payment): boolean => user !== null && owner !== null && sameAddress(user, owner)
  return paymentsOf(start)
    .filter(({ exit_code }) => exit_code !== SWAP_OK_REFERRAL)
    .sort((a, b) => Number(isOwned(b)) - Number(isOwned(a)) || (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
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
    const payments = ownPayments(start)
    const [main] = payments
    if (!main) return undefined
    const target_wallet = targetWallet(detailsOf(cause, 'jetton_transfer')?.forward_payload) ?? main.wallet
    const outgoing = jettonMoved(main.paid)
    return {
      of: [cause, start, ...withAppended(payments.flatMap(({ request, paid }) => [request, paid]))],
      ...swapTold({
        dex: 'stonfi',
        incoming: incomingOf(cause),
        outgoing,
        asset_out: assetOf(target_wallet, facts) ?? outgoing.asset,
        target_wallet,
      }),
      failed: main.exit_code !== SWAP_OK,
    }
  },
}
