import {
  JETTON_INTERNAL_TRANSFER,
  JETTON_MINT,
  JETTON_NOTIFY,
  MINTER_JETTON_MINT,
  readJettonInternalTransfer,
  readJettonMint,
} from '../../contracts/token-messages.ts'
import type { JettonMintDetails } from '../../model/actions/jetton.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf, type Part } from '../classify/part.ts'
import { call, maybe, oneOf } from '../classify/pattern.ts'

type Minted = Omit<JettonMintDetails, 'ton_amount'>

/** What the wallet was given. Undefined where it was not. */
const minted = (internal: Part, facts: Facts): Minted | undefined => {
  const { destination, body } = messageOf(internal)
  const wallet = destination && facts(destination).jetton_wallet
  const given = readJettonInternalTransfer(body)
  return wallet && given
    ? { asset: wallet.jetton, receiver: wallet.owner, receiver_jetton_wallet: destination, amount: given.amount }
    : undefined
}

/** A minter that is asked to mint, and the wallet that it gives the jettons to. */
export const jettonMint: Matcher = {
  name: 'jetton mint',
  pattern: call([JETTON_MINT, MINTER_JETTON_MINT], {
    bare: true,
    child: maybe(
      oneOf(call(JETTON_NOTIFY), call(JETTON_INTERNAL_TRANSFER, { as: 'internal', child: maybe(call(JETTON_NOTIFY)) })),
    ),
  }),
  build: (start, match, facts) => {
    const { destination, body } = messageOf(start)
    const asked = readJettonMint(body)
    if (!asked || !destination) return undefined
    const internal = match.one('internal')
    const done = internal && !start.failed ? minted(internal, facts) : undefined
    if (internal && !start.failed && !done) return undefined
    const details: JettonMintDetails = {
      ...(done ?? {
        asset: destination,
        receiver: asked.to_address,
        receiver_jetton_wallet: null,
        amount: readJettonInternalTransfer(asked.master_msg)?.amount ?? null,
      }),
      ton_amount: asked.ton_amount,
    }
    return {
      btype: 'jetton_mint',
      content: { type: 'jetton_mint', details },
      columns: {
        destination: details.receiver,
        destination_secondary: details.receiver_jetton_wallet,
        asset: details.asset,
        amount: details.amount,
        value: details.ton_amount,
      },
      failed: start.failed || !internal || internal.failed,
    }
  },
}
