import { JETTON_BURN_NOTIFICATION } from '../../contracts/token-messages.ts'
import { JETTON_BURN, readJettonBurn } from '../../contracts/transfer-bodies.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'

/** TEP-74: a wallet that is known burns what it holds. */
export const jettonBurn: Matcher = {
  name: 'jetton burn',
  pattern: call(JETTON_BURN, { bare: true, child: maybe(call(JETTON_BURN_NOTIFICATION)) }),
  build: (start, _match, facts) => {
    const { destination, body } = messageOf(start)
    const wallet = destination && facts(destination).jetton_wallet
    const burn = readJettonBurn(body)
    if (!wallet || !burn) return undefined
    const { owner, jetton: asset } = wallet
    const { amount } = burn
    return {
      btype: 'jetton_burn',
      content: { type: 'jetton_burn', details: { owner, owner_jetton_wallet: destination, asset, amount } },
      columns: { source: owner, source_secondary: destination, asset, amount },
      failed: start.failed,
    }
  },
}
