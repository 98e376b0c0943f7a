import { DEDUST_SWAP_EVENT, readDedustSwapEvent } from '../../contracts/dedust-messages.ts'
import { accountIn, needInteger, recordIn } from '../../contracts/fields.ts'
import type { DexTransfer, PeerSwap } from '../../model/actions/dex.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, messageOf, type Part } from '../classify/part.ts'
import { call, kind, oneOf } from '../classify/pattern.ts'
import { sameAsset, swapTold } from './dex-content.ts'
import { jettonMoved, nextCall, saidBy, transfersBehind, withAppended } from './dex-parts.ts'

const SWAP = 0xea06185d
const SWAP_EXTERNAL = 0x61ee542d
const SWAP_PEER = 0x72aca8aa
const PAY_OUT_FROM_POOL = 0xad4eb6f5
const PAYOUT = 0x474f86cf

/** What a vault took in: TON with the request itself, or jettons. */
const taken = (cause: Part): DexTransfer => {
  if (!calls(cause, SWAP)) return jettonMoved(cause)
  const { source, destination } = messageOf(cause)
  return {
    asset: null,
    source,
    destination,
    source_jetton_wallet: null,
    destination_jetton_wallet: null,
    amount: needInteger(saidBy(cause), 'amount'),
  }
}

/** What a vault pays out as a pool tells it to, and the parts that it is. */
export const dedustPayout = (told: Part): { transfer: DexTransfer; part: Part } | undefined => {
  const ton = nextCall(told, PAYOUT)
  if (ton) {
    const { source, destination } = messageOf(ton)
    const amount = needInteger(saidBy(told), 'amount')
    const transfer = {
      asset: null,
      source,
      destination,
      source_jetton_wallet: null,
      destination_jetton_wallet: null,
      amount,
    }
    return { transfer, part: ton }
  }
  const [jettons] = transfersBehind(told)
  return jettons && { transfer: jettonMoved(jettons), part: jettons }
}

/** The pools gone through from the first one on, and what the last one told a vault. */
const poolsFrom = (start: Part): { pools: Part[]; last: Part | undefined } => {
  const pools = [start]
  for (let pool = nextCall(start, SWAP_PEER, SWAP_EXTERNAL); pool; pool = nextCall(pool, SWAP_PEER, SWAP_EXTERNAL))
    pools.push(pool)
  return { pools, last: nextCall(pools.at(-1), PAY_OUT_FROM_POOL) }
}

type End = { asset: Address | null; amount: bigint }

/** The other asset of a pool, as the proof in what it sent on has it; the one that came out at last, without a proof. */
const otherAsset = (sent: Part, given: Address | null, outcome: Address | null): Address | null => {
  const params = recordIn(recordIn(recordIn(saidBy(sent), 'proof'), 'proof'), 'params')
  if (!params || !('asset0' in params)) return outcome
  const [first, second] = [accountIn(params, 'asset0'), accountIn(params, 'asset1')]
  return sameAsset(first, given) ? second : first
}

/** What each pool swapped: as it told itself, else as the next one was told. */
const swapsOf = (pools: readonly Part[], last: Part, given: End, outcome: End): PeerSwap[] => {
  let { asset, amount } = given
  return pools.map((pool, at) => {
    const event = nextCall(pool, DEDUST_SWAP_EVENT)
    const told = event && readDedustSwapEvent(messageOf(event).body)
    const next = pools[at + 1]
    const swap = told ?? {
      asset_in: asset,
      amount_in: amount,
      asset_out: next ? accountIn(saidBy(next), 'asset') : otherAsset(last, asset, outcome.asset),
      amount_out: next ? needInteger(saidBy(next), 'amount') : outcome.amount,
    }
    asset = swap.asset_out
    amount = swap.amount_out
    return swap
  })
}

/** A swap through one pool or more; one that did not succeed pays back what it was given. */
export const dedustSwap: Matcher = {
  name: 'DeDust swap',
  pattern: call(SWAP_EXTERNAL, {
    bare: true,
    parent: oneOf(call(SWAP, { bare: true }), kind('jetton_transfer', { bare: true })),
  }),
  build: (start) => {
    const cause = start.previous!
    const { pools, last } = poolsFrom(start)
    const paid = last && dedustPayout(last)
    if (!last || !paid) return undefined
    const incoming = taken(cause)
    const swaps = swapsOf(pools, last, incoming, paid.transfer)
    const events = pools.map((pool) => nextCall(pool, DEDUST_SWAP_EVENT))
    return {
      of: [cause, ...withAppended([...pools, last, paid.part]), ...events.filter((event) => event !== undefined)],
      ...swapTold({
        dex: 'dedust',
        incoming,
        outgoing: paid.transfer,
        asset_out: swaps.at(-1)!.asset_out,
        hops: swaps,
      }),
      failed: events.includes(undefined),
    }
  },
}
