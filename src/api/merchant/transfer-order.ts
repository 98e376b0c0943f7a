import { TonlithError } from '../../common/errors.ts'
import type { Merchant } from '../../model/payments.ts'
import type { TransferOrder } from '../../payments/create-transfer.ts'
import { NATIVE_ASSET } from '../../payments/transfer-info.ts'
import type { Address } from '../../ton/address.ts'
import { addressIn, addressOf, type Members, numberTextIn, requiredTextIn, textIn } from './members.ts'

/** Bytes of a comment in UTF-8. */
const MAX_COMMENT = 1000
/** Characters that no wallet shows; line ends and tabs aside. */
const UNSHOWN = /(?![\t\n\r])[\p{Cs}\p{Cc}]/u
const MAX_QUERY_ID = (1n << 64n) - 1n

const commentIn = (members: Members, name: string): string | null => {
  const text = textIn(members, name)
  if (!text) return null
  if (UNSHOWN.test(text)) throw new TonlithError('invalid', `${name} holds characters that are no text`)
  if (Buffer.byteLength(text) > MAX_COMMENT)
    throw new TonlithError('invalid', `${name} must have at most ${MAX_COMMENT} bytes`)
  return text
}

const assetIn = (members: Members): Address | null => {
  const text = requiredTextIn(members, 'asset')
  if (text.toUpperCase() === NATIVE_ASSET) return null
  const address = addressOf('asset', text)
  return address.workchain === 0 && address.hash.every((byte) => byte === 0) ? null : address
}

const queryIdIn = (members: Members): bigint | null => {
  if ((members.get('queryId') ?? 'null') === 'null') return null
  const text = numberTextIn(members, 'queryId')
  const id = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id > MAX_QUERY_ID)
    throw new TonlithError('invalid', 'queryId must be a whole number from 0 to 2^64 - 1')
  return id
}

/**
 * What the body of create-transfer asks for. Members that are not known are ignored.
 * @throws TonlithError `invalid` that names the member
 */
export const transferOrder = (members: Members, merchant: Merchant | null): TransferOrder => ({
  merchant,
  amount: numberTextIn(members, 'amount'),
  asset: assetIn(members),
  recipient: addressIn(members, 'recipientAddr') ?? null,
  sender: addressOf('senderAddr', requiredTextIn(members, 'senderAddr')),
  query_id: queryIdIn(members),
  comment_to_sender: commentIn(members, 'commentToSender'),
  comment_to_recipient: commentIn(members, 'commentToRecipient'),
})
