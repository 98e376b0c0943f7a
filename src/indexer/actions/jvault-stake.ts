import { JVAULT_OPS, readStaked, readStakePeriod } from '../../contracts/jvault.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, messageOf } from '../classify/part.ts'
import { call, kind, maybe, oneOf } from '../classify/pattern.ts'
import { referralsOf, rewardsUpdated } from './jvault-parts.ts'

/** The pool counts the stake in, or is asked to give the jettons back. */
const outcome = oneOf(
  call(JVAULT_OPS.request_update_rewards, { as: 'request', children: [rewardsUpdated] }),
  call(JVAULT_OPS.cancel_stake, { as: 'cancelled', child: maybe(kind('jetton_transfer')) }),
)

/** Jettons staked in a pool of jVault for a time. */
export const jvaultStake: Matcher = {
  name: 'jVault stake',
  pattern: kind('jetton_transfer', {
    bare: true,
    children: [call(JVAULT_OPS.receive_jettons, { as: 'received', child: outcome }), maybe(call(JVAULT_OPS.set_data))],
  }),
  build: (start, match) => {
    const { sender, sender_jetton_wallet, asset, amount, forward_payload } = detailsOf(start, 'jetton_transfer')!
    const received = match.one('received')!
    const { source: pool, destination: stake_wallet, body } = messageOf(received)
    const request = match.one('request')
    const failed = received.failed || !request || match.one('cancelled') !== undefined || request.failed
    return {
      with: request ? referralsOf(request) : [],
      btype: 'jvault_stake',
      content: {
        type: 'jvault_stake',
        details: {
          period: (forward_payload && readStakePeriod(forward_payload)) ?? null,
          minted_stake_jettons: failed ? null : (readStaked(body) ?? null),
          stake_wallet,
          source: sender,
          source_jetton_wallet: sender_jetton_wallet,
          asset,
          pool,
          amount,
        },
      },
      columns: { source: sender, source_secondary: sender_jetton_wallet, destination: pool, asset, amount },
      failed,
    }
  },
}
