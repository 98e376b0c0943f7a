import { tryParseUlid, ulidNumber } from '../common/ulid.ts'
import { commentCell, jettonTransferBody } from '../contracts/jetton-transfer.ts'
import type { Transfer } from '../model/payments.ts'
import type { Cell } from '../ton/cell.ts'

/** Native coin that is sent on to the recipient of a jetton with its comment, in nano-units. */
const FORWARDED = 1n
/** Native coin that a jetton's transfer is sent with, in nano-units. What is left of it comes back to the sender. */
export const JETTON_FEES = 50_000_000n

const REFERENCE = /\bref[:\s]+([0-9A-Za-z]{26})(?![0-9A-Za-z])/gi

/** The text comment of a transfer: what the merchant has for its recipient, and the reference. */
export const commentText = ({
  reference,
  comment_to_recipient,
}: Pick<Transfer, 'reference' | 'comment_to_recipient'>): string =>
  comment_to_recipient === null ? `ref ${reference}` : `${comment_to_recipient} (ref ${reference})`

/**
 * The reference in a text comment, as commentText writes it or somebody typed it; the last one where there are several.
 */
export const referenceIn = (comment: string): string | undefined => {
  const found = [...comment.matchAll(REFERENCE)].flatMap(([, text]) => tryParseUlid(text!) ?? [])
  return found.at(-1)
}

/** Tells the transfers of a sender apart where none was asked for: the last 64 bits of the reference. */
export const defaultQueryId = (reference: string): bigint => BigInt.asUintN(64, ulidNumber(reference))

/** The body of the message that a wallet signs for a transfer: the comment, or the order to the sender's jetton wallet. */
export const transferBody = (
  transfer: Pick<
    Transfer,
    'reference' | 'comment_to_recipient' | 'asset' | 'raw_amount' | 'sender' | 'recipient' | 'query_id'
  >,
): Cell => {
  const comment = commentCell(commentText(transfer))
  if (transfer.asset === null) return comment
  return jettonTransferBody({
    query_id: transfer.query_id,
    amount: transfer.raw_amount,
    destination: transfer.recipient,
    response_destination: transfer.sender,
    forward_ton_amount: FORWARDED,
    forward_payload: comment,
  })
}
