import { tryParseUlid, ULID_LENGTH, ulidNumber } from '../common/ulid.ts'
import { commentCell, jettonTransferBody } from '../contracts/jetton-transfer.ts'
import type { Transfer } from '../model/payments.ts'
import type { Cell } from '../ton/cell.ts'

/** Native coin that is sent on to the recipient of a jetton with its comment, in nano-units. */
const FORWARDED = 1n
/** Native coin that a jetton's transfer is sent with, in nano-units. What is left of it comes back to the sender. */
export const JETTON_FEES = 50_000_000n

const WORD = /[0-9A-Za-z]+/g
/** References that are looked for in one text. */
const MOST_REFERENCES = 8

/** The text comment of a transfer: what the merchant has for its recipient, and the reference. */
export const commentText = ({
  reference,
  comment_to_recipient,
}: Pick<Transfer, 'reference' | 'comment_to_recipient'>): string =>
  comment_to_recipient === null ? `ref ${reference}` : `${comment_to_recipient} (ref ${reference})`

/**
 * The references that a text comment may name, the last one first, each once: words of the form of a ULID in either case,
 * as commentText writes them or somebody typed them; the last eight. What stands before the reference is the merchant's own.
 */
export const referencesIn = (comment: string): string[] => {
  const words = [...comment.matchAll(WORD)].filter(([word]) => word.length === ULID_LENGTH).slice(-MOST_REFERENCES)
  return [...new Set(words.reverse().flatMap(([word]) => tryParseUlid(word) ?? []))]
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
