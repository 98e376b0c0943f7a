import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { jettonTransferTold, receiverAsked, transferAsked } from './jetton-content.ts'

/** A jetton transfer that a wallet was asked for and did not send. */
export const failedJettonTransfer: Matcher = {
  name: 'jetton transfer that was not sent',
  pattern: call(JETTON_TRANSFER),
  build: (start, _match, facts) => {
    const { source, destination } = messageOf(start)
    const body = transferAsked(start)
    const told = jettonTransferTold(body, {
      asset: (destination && facts(destination).jetton_wallet?.jetton) ?? null,
      sender: source,
      receiver: receiverAsked(body),
      sender_jetton_wallet: destination,
      receiver_jetton_wallet: null,
    })
    return { ...told, failed: true }
  },
}
