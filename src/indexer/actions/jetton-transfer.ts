import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import { sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { jettonTransferTold, receiverAsked, transferAsked } from './jetton-content.ts'

/** TEP-74: from one wallet to another, which must be one that its master knows. */
export const jettonTransfer: Matcher = {
  name: 'jetton transfer',
  pattern: call(JETTON_TRANSFER, {
    bare: true,
    child: call(JETTON_INTERNAL_TRANSFER, { as: 'internal', child: maybe(call(JETTON_NOTIFY)) }),
  }),
  build: (start, match, facts) => {
    const internal = match.one('internal')!
    const { source, destination } = messageOf(start)
    const wallet = messageOf(internal).destination!
    const known = facts(wallet).jetton_wallet
    if (!known) return undefined
    const body = transferAsked(start)
    const asked = receiverAsked(body)
    const done = readJettonInternalTransfer(messageOf(internal).body)
    const told = jettonTransferTold(
      body,
      {
        asset: known.jetton,
        sender: source,
        receiver: known.owner,
        sender_jetton_wallet: destination,
        receiver_jetton_wallet: wallet,
      },
      { amount: done?.amount ?? body.amount, forward_amount: done?.forward_ton_amount ?? body.forward_ton_amount },
    )
    const broken = !asked || !sameAddress(asked, known.owner)
    return { ...told, failed: start.failed || internal.failed, broken }
  },
}
