import { JVAULT_OPS, readUnstaked } from '../../contracts/jvault.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind, maybe } from '../classify/pattern.ts'
import { referralsOf, rewardsUpdated, stakeIn } from './jvault-parts.ts'

type Unstake = 'jvault_unstake' | 'jvault_unstake_request'

/** What the wallet of a stake was asked for, and whether its pool was told; undefined where it is no such wallet. */
const unstakeTold = (
  type: Unstake,
  start: Part,
  { pool, asset, staking_asset }: ReturnType<typeof stakeIn>,
  request: Part | undefined,
): Made | undefined => {
  const { source, destination: stake_wallet, body } = messageOf(start)
  const amount = readUnstaked(body, start.opcode!)
  const told = request ? messageOf(request).destination : pool
  if (amount === undefined || !told) return undefined
  const exit_code = request ? null : start.nodes[0]!.transaction.exit_code
  return {
    with: request ? referralsOf(request) : [],
    btype: type,
    content: {
      type,
      details: { source, stake_wallet, pool: told, amount, exit_code, asset, staking_asset },
    },
    columns: {
      source,
      source_secondary: stake_wallet,
      destination: told,
      asset,
      asset2: staking_asset,
      amount,
      opcode: exit_code,
    },
    failed: start.failed || !request || request.failed,
  }
}

/** Jettons taken out of a pool, at once or when they were asked for before. */
export const jvaultUnstake: Matcher = {
  name: 'jVault unstake',
  pattern: call(JVAULT_OPS.unstake_jettons, {
    bare: true,
    child: maybe(
      call(JVAULT_OPS.request_update_rewards, {
        as: 'request',
        children: [maybe(kind('ton_transfer')), kind('jetton_transfer', { as: 'paid' }), rewardsUpdated],
      }),
    ),
  }),
  build: (start, match, facts) => {
    const stake = stakeIn(messageOf(start).destination, facts)
    const paid = detailsOf(match.one('paid'), 'jetton_transfer')
    return unstakeTold('jvault_unstake', start, paid ? { ...stake, asset: paid.asset } : stake, match.one('request'))
  },
}

/** Jettons that are to be free when their time is up. */
export const jvaultUnstakeRequest: Matcher = {
  name: 'jVault request to unstake',
  pattern: call(JVAULT_OPS.unstake_request, {
    bare: true,
    child: maybe(call(JVAULT_OPS.request_update_rewards, { as: 'request', children: [rewardsUpdated] })),
  }),
  build: (start, match, facts) =>
    unstakeTold('jvault_unstake_request', start, stakeIn(messageOf(start).destination, facts), match.one('request')),
}
