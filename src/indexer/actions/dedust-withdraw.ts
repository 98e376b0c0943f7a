import { needInteger } from '../../contracts/fields.ts'
import { JETTON_BURN_NOTIFICATION } from '../../contracts/token-messages.ts'
import { JETTON_BURN } from '../../contracts/transfer-bodies.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { dedustPayout } from './dedust-swap.ts'
import { withdrawalTold } from './dex-content.ts'
import { nextCall, saidBy, withAppended } from './dex-parts.ts'

const PAY_OUT_FROM_POOL = 0xad4eb6f5
const WITHDRAWAL_EVENT = 0x3aa870a6

/** Tokens of a pool are burnt for what is in it: the pool has two vaults pay. */
export const dedustWithdraw: Matcher = {
  name: 'DeDust withdrawal',
  pattern: call(JETTON_BURN_NOTIFICATION, { bare: true, parent: call(JETTON_BURN, { bare: true }) }),
  build: (start, _match, facts) => {
    const burn = start.previous!
    const told = start.next.filter((next) => calls(next, PAY_OUT_FROM_POOL))
    const payouts = told.map(dedustPayout).filter((payout) => payout !== undefined)
    const lpWallet = messageOf(burn).destination!
    const known = facts(lpWallet).jetton_wallet
    if (payouts.length !== 2 || !known) return undefined
    const event = nextCall(start, WITHDRAWAL_EVENT)
    return {
      of: [...withAppended([burn, start, ...told, ...payouts.map(({ part }) => part)]), ...(event ? [event] : [])],
      ...withdrawalTold('dex_withdraw_liquidity', {
        dex: 'dedust',
        source: messageOf(burn).source,
        pool: messageOf(start).destination,
        payouts: payouts.map(({ transfer }) => transfer),
        lp_tokens_burnt: needInteger(saidBy(start), 'amount'),
        wallet: lpWallet,
        lp_asset: known.jetton,
      }),
      failed: burn.failed || start.failed,
    }
  },
}
