import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'
import { depositTold, withdrawalTold } from './dex-content.ts'
import {
  type Incoming,
  incomingTo,
  nextCall,
  outgoingBy,
  PTON_TRANSFER,
  transfersBehind,
  withAppended,
} from './dex-parts.ts'

const PROVIDE = 0x37c096df
const ADD_LIQUIDITY = 0x50c6a654
const ADDED = 0x06ecd527
const BURN_NOTIFICATION = 0x297437cf
const PAY_TO = 0x657b54f5
const REFUND_ME = 0x132b9a2c
const REFUND = 0x0f98e2b8

/** One asset on its way to the account in which a pool collects both. */
interface Leg {
  incoming: Incoming
  provide: Part
  add: Part
  added: Part | undefined
}

const legAt = (provide: Part): Leg | undefined => {
  const incoming = incomingTo(provide.previous)
  const add = nextCall(provide, ADD_LIQUIDITY)
  return incoming && add && { incoming, provide, add, added: nextCall(add, ADDED) }
}

const isSame = (a: Address | null, b: Address | null): boolean => a !== null && b !== null && sameAddress(a, b)

/** The other asset, sent together with this one by the same account to the same pool. */
const legBeside = (leg: Leg): Leg | undefined => {
  const [head] = leg.incoming.parts
  return head!.previous?.next
    .filter((part) => part !== head)
    .map((part) => nextCall(calls(part, PTON_TRANSFER) ? nextCall(part, JETTON_NOTIFY) : part, PROVIDE))
    .map((provide) => provide && legAt(provide))
    .find(
      (other) =>
        other !== undefined &&
        isSame(other.incoming.transfer.source, leg.incoming.transfer.source) &&
        isSame(messageOf(other.provide).destination, messageOf(leg.provide).destination) &&
        !(leg.added && other.added),
    )
}

/** How the pool answered an account that has what it needs: tokens, or the assets back. */
const answerTo = (added: Part | undefined) => {
  const minted = nextCall(added, JETTON_INTERNAL_TRANSFER)
  const refused = nextCall(added, ADD_LIQUIDITY)
  const parts = [added, minted, nextCall(minted, JETTON_NOTIFY), refused].filter((part) => part !== undefined)
  const amount = minted && readJettonInternalTransfer(messageOf(minted).body)?.amount
  return { parts, lp_tokens_minted: amount ?? null, isRefused: refused !== undefined }
}

const partsOf = ({ incoming, provide, add }: Leg): Part[] => [...incoming.parts, ...withAppended([provide, add])]

/** One asset or both for a pool of the second version. */
export const stonfiV2Deposit: Matcher = {
  name: 'STON.fi v2 deposit',
  pattern: call(PROVIDE, { bare: true }),
  build: (start) => {
    const leg = legAt(start)
    if (!leg) return undefined
    const other = legBeside(leg)
    const answer = answerTo(leg.added ?? other?.added)
    const [first, second] = [leg.incoming.transfer, other?.incoming.transfer]
    const pool = messageOf(start).destination
    return {
      of: [...partsOf(leg), ...(other ? partsOf(other) : []), ...withAppended(answer.parts)],
      ...depositTold(
        'dex_deposit_liquidity',
        {
          dex: 'stonfi_v2',
          source: first.source,
          pool,
          destination_liquidity: pool,
          asset_1: first.asset,
          amount_1: first.amount,
          user_jetton_wallet_1: first.source_jetton_wallet,
          asset_2: second?.asset ?? null,
          amount_2: second?.amount ?? null,
          user_jetton_wallet_2: second?.source_jetton_wallet ?? null,
          lp_tokens_minted: answer.lp_tokens_minted,
        },
        messageOf(leg.add).destination,
      ),
      failed: answer.isRefused || start.failed,
    }
  },
}

/** TON first, else in the order in which they were paid. */
const inOrder = (payouts: readonly Incoming[]): DexTransfer[] => {
  const transfers = payouts.map(({ transfer }) => transfer)
  return [...transfers.filter(({ asset }) => asset === null), ...transfers.filter(({ asset }) => asset !== null)]
}

/** What a pool has its router pay. */
const paymentsBehind = (part: Part): { told: Part[]; payouts: Incoming[] } => {
  const told = part.next.filter((next) => calls(next, PAY_TO))
  return { told, payouts: told.flatMap(transfersBehind).map(outgoingBy) }
}

/** Tokens of a pool are burnt for what is in it. */
export const stonfiV2Withdraw: Matcher = {
  name: 'STON.fi v2 withdrawal',
  pattern: call(BURN_NOTIFICATION, { bare: true, parent: kind('jetton_burn', { bare: true }) }),
  build: (start) => {
    const burn = detailsOf(start.previous, 'jetton_burn')!
    const { told, payouts } = paymentsBehind(start)
    if (payouts.length === 0) return undefined
    return {
      of: [start.previous!, start, ...withAppended(told), ...payouts.flatMap(({ parts }) => parts)],
      ...withdrawalTold('dex_withdraw_liquidity', {
        dex: 'stonfi_v2',
        source: burn.owner,
        pool: messageOf(start).destination,
        payouts: inOrder(payouts),
        lp_tokens_burnt: burn.amount,
        wallet: burn.owner_jetton_wallet,
        lp_asset: burn.asset,
      }),
      failed: start.failed,
    }
  },
}

/** What was collected for a deposit that did not come about is taken back. */
export const stonfiV2Refund: Matcher = {
  name: 'STON.fi v2 refund',
  pattern: call(REFUND, { bare: true, parent: call(REFUND_ME, { bare: true }) }),
  build: (start) => {
    const asked = start.previous!
    const { told, payouts } = paymentsBehind(start)
    if (payouts.length === 0) return undefined
    return {
      of: [asked, start, ...withAppended(told), ...payouts.flatMap(({ parts }) => parts)],
      ...withdrawalTold('dex_withdraw_liquidity', {
        dex: 'stonfi_v2',
        source: messageOf(asked).source,
        pool: messageOf(start).destination,
        payouts: inOrder(payouts),
        lp_tokens_burnt: null,
      }),
      failed: start.failed,
    }
  },
}
