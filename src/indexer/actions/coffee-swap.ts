import { accountIn, needInteger } from '../../contracts/fields.ts'
import type { PeerSwap } from '../../model/actions/dex.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import type { Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { COFFEE_PAYOUT_INTERNAL, coffeePayout, coffeeTaken } from './coffee-parts.ts'
import { swapTold } from './dex-content.ts'
import { nextCall, saidBy, withAppended } from './dex-parts.ts'

const SWAP = 0xc0ffee00
const SWAP_INTERNAL = 0xc0ffee20
const SUCCEEDED = 0xc0ffee30
const FAILED = 0xc0ffee31

/** What the pools told of their swaps; the asset that one gives is the one that the next takes. */
const swapsOf = (events: readonly Part[], outcome: Address | null): PeerSwap[] =>
  events.map((event, at) => {
    const said = saidBy(event)
    const next = events[at + 1]
    return {
      asset_in: accountIn(said, 'input'),
      amount_in: needInteger(said, 'input_amount'),
      asset_out: next ? accountIn(saidBy(next), 'input') : outcome,
      amount_out: needInteger(said, 'output_amount'),
    }
  })

/** A swap through one pool of swap.coffee or more. */
export const coffeeSwap: Matcher = {
  name: 'swap.coffee swap',
  pattern: call(SWAP_INTERNAL, { bare: true }),
  build: (start) => {
    const cause = start.previous
    const incoming = coffeeTaken(cause, [SWAP], 'amount')
    if (!cause || !incoming) return undefined
    const pools = [start]
    for (let pool = nextCall(start, SWAP_INTERNAL); pool; pool = nextCall(pool, SWAP_INTERNAL)) pools.push(pool)
    const told = nextCall(pools.at(-1), COFFEE_PAYOUT_INTERNAL)
    const paid = told && coffeePayout(told)
    if (!paid) return undefined
    const events = pools.map((pool) => nextCall(pool, SUCCEEDED)).filter((event) => event !== undefined)
    const failures = pools.map((pool) => nextCall(pool, FAILED)).filter((event) => event !== undefined)
    return {
      of: [cause, ...withAppended([...pools, told, paid.part]), ...events, ...failures],
      ...swapTold({
        dex: 'coffee',
        incoming,
        outgoing: paid.transfer,
        hops: swapsOf(events, paid.transfer.asset),
      }),
      failed: events.length < pools.length,
    }
  },
}
