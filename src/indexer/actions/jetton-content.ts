import { readComment } from '../../contracts/comment.ts'
import { type JettonTransferBody, readJettonTransfer } from '../../contracts/transfer-bodies.ts'
import type { JettonTransferDetails } from '../../model/actions/jetton.ts'
import type { Cell } from '../../ton/cell.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { messageOf, type Part, type Told } from '../classify/part.ts'

/** What the sender of a jetton transfer asks for. Throws where the body is none. */
export const transferAsked = (start: Part): JettonTransferBody => {
  const body = readJettonTransfer(messageOf(start).body)
  if (!body) throw new TypeError('no jetton transfer')
  return body
}

/** The comment in a payload, as details have it. */
export const commentIn = (payload: Cell | null): { comment: string | null; is_encrypted_comment: boolean } => {
  const comment = payload ? readComment(payload) : undefined
  return { comment: comment?.text ?? null, is_encrypted_comment: comment?.encrypted ?? false }
}

type Sides = Pick<
  JettonTransferDetails,
  'asset' | 'sender' | 'receiver' | 'sender_jetton_wallet' | 'receiver_jetton_wallet'
>
type Amounts = Pick<JettonTransferDetails, 'amount' | 'forward_amount'>

/** The account that is to receive the jettons, as the sender says. */
export const receiverAsked = (body: JettonTransferBody): Sides['receiver'] => accountOf(body.destination)

/** A jetton transfer between these, of which its sender asked `body`. */
export const jettonTransferTold = (
  body: JettonTransferBody,
  sides: Sides,
  { amount, forward_amount }: Amounts = { amount: body.amount, forward_amount: body.forward_ton_amount },
): Omit<Told, 'failed'> => {
  const { asset, sender, receiver, sender_jetton_wallet, receiver_jetton_wallet } = sides
  const { forward_payload } = body
  return {
    btype: 'jetton_transfer',
    content: {
      type: 'jetton_transfer',
      details: {
        asset,
        sender,
        receiver,
        sender_jetton_wallet,
        receiver_jetton_wallet,
        amount,
        ...commentIn(forward_payload),
        query_id: body.query_id,
        response_destination: accountOf(body.response_destination),
        custom_payload: body.custom_payload,
        forward_payload,
        forward_amount,
      },
    },
    columns: {
      source: sender,
      source_secondary: sender_jetton_wallet,
      destination: receiver,
      destination_secondary: receiver_jetton_wallet,
      asset,
      amount,
    },
  }
}
