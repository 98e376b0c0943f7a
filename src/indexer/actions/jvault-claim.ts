import { JVAULT_OPS } from '../../contracts/jvault.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { transfersBehind, withAppended } from './dex-parts.ts'
import { rewardsUpdated } from './jvault-parts.ts'

/** Rewards of a stake that its pool pays out. */
export const jvaultClaim: Matcher = {
  name: 'jVault claim',
  pattern: call(JVAULT_OPS.claim_rewards, {
    bare: true,
    child: call(JVAULT_OPS.send_claimed_rewards, { as: 'asked', children: [rewardsUpdated] }),
  }),
  build: (start, match) => {
    const asked = match.one('asked')!
    const paid = transfersBehind(asked)
    if (paid.length === 0) return undefined
    const { source, destination: stake_wallet } = messageOf(start)
    const { destination: pool } = messageOf(asked)
    const claimed_rewards = paid
      .map((part) => detailsOf(part, 'jetton_transfer')!)
      .map(({ sender_jetton_wallet, amount }) => ({ jetton: sender_jetton_wallet, amount }))
    return {
      with: withAppended(paid),
      btype: 'jvault_claim',
      content: { type: 'jvault_claim', details: { claimed_rewards, source, stake_wallet, pool } },
      columns: { source, source_secondary: stake_wallet, destination: pool },
      failed: start.failed || asked.failed,
    }
  },
}
