import { JETTON_NOTIFY } from '../../contracts/token-messages.ts'
import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { jettonTransferTold, receiverAsked, transferAsked } from './jetton-content.ts'
import { isPton } from './pton.ts'

/** TON that a wallet of a proxy for TON takes or pays out: it never reaches another wallet. */
export const ptonTransfer: Matcher = {
  name: 'transfer of proxied TON',
  pattern: call(JETTON_TRANSFER, { bare: true, child: maybe(call(JETTON_NOTIFY)) }),
  build: (start, _match, facts) => {
    const { source, destination } = messageOf(start)
    const wallet = destination ? facts(destination).jetton_wallet : undefined
    if (!wallet || !isPton(wallet.jetton)) return undefined
    const body = transferAsked(start)
    const told = jettonTransferTold(body, {
      asset: wallet.jetton,
      sender: source,
      receiver: receiverAsked(body),
      sender_jetton_wallet: null,
      receiver_jetton_wallet: null,
    })
    return { ...told, failed: start.failed }
  },
}
