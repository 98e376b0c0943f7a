import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { tryParseUlid } from '../../common/ulid.ts'
import type { Transfer } from '../../model/payments.ts'
import { kept } from '../../payments/kept.ts'
import { type TransferInfo, transferInfo } from '../../payments/transfer-info.ts'
import { findTransfer, findTransferByBody } from '../../store/payments/transfers.ts'
import { object, ref, STRING } from '../json-schema.ts'
import { parseHash } from '../v2/hash-text.ts'
import type { MerchantCall, MerchantRoute } from './route.ts'
import { transferOrder } from './transfer-order.ts'

/** A transfer on the wire. */
export const transferJson = (info: TransferInfo): { readonly [key: string]: Json } => ({ ...info })

const created: MerchantRoute = {
  verb: 'POST',
  path: 'create-transfer',
  operationId: 'createTransfer',
  summary: 'Makes a transfer: the message that a wallet signs, and the reference by which the payment is recognised',
  key: 'optional',
  counts: 'creation',
  body: {
    amount: {
      required: true,
      description: 'In whole units, exactly as written: 10.5',
      schema: { anyOf: [{ type: 'number' }, STRING] },
    },
    asset: {
      required: true,
      description: '`TON` or the zero address for the native coin, else the master of a jetton',
      schema: STRING,
    },
    recipientAddr: {
      description: "Required without a key; with one it is the merchant's wallet unless given",
      schema: STRING,
    },
    senderAddr: { required: true, description: 'The wallet that is going to pay', schema: STRING },
    queryId: {
      description: '`query_id` of a jetton transfer; made up unless given',
      schema: { type: 'integer', minimum: 0 },
    },
    commentToSender: { description: 'What the sender is shown while signing', schema: STRING },
    commentToRecipient: { description: 'Goes into the text comment, before the reference', schema: STRING },
  },
  result: object({
    message: object({ address: STRING, amount: STRING, payload: STRING }),
    bodyBase64Hash: STRING,
    reference: STRING,
  }),
  errors: {
    409: 'The payment would not be seen, or the decimals of the jetton cannot be told',
    422: 'A member of the body is missing or cannot be used; the text names it',
  },
  run: async ({ parts, members, merchant, caller, signal }) => {
    const { transfer, message } = await parts.create(transferOrder(members, merchant), signal)
    if (caller !== null) parts.keylessShare.count(caller)
    return {
      message: { ...message },
      bodyBase64Hash: transfer.body_hash.toString('base64'),
      reference: transfer.reference,
    }
  },
}

const byReference = ({ store }: MerchantCall, text: string): Transfer | undefined => {
  const reference = tryParseUlid(text)
  return reference === undefined ? undefined : kept(() => findTransfer(store, reference))
}

/** Clients send base64 as it is: a plus that something has read as a blank is put back. */
const byBodyHash = ({ store }: MerchantCall, text: string): Transfer | undefined => {
  const hash = parseHash(text.trimEnd().replaceAll(' ', '+'))
  if (!hash) throw new TonlithError('invalid', 'bodyHash is no hash of 32 bytes')
  return kept(() => findTransferByBody(store, hash))
}

const asked = (call: MerchantCall): Transfer | undefined => {
  const [reference, bodyHash] = [call.query('reference'), call.query('bodyHash')]
  if ((reference === undefined) === (bodyHash === undefined))
    throw new TonlithError('invalid', 'either reference or bodyHash is required')
  return reference === undefined ? byBodyHash(call, bodyHash!) : byReference(call, reference)
}

const found: MerchantRoute = {
  verb: 'GET',
  path: 'transfer',
  operationId: 'getTransfer',
  summary: 'A transfer by its reference or by the hash of its body',
  key: 'optional',
  counts: 'lookup',
  query: {
    reference: { description: 'As create-transfer gave it', schema: STRING },
    bodyHash: { description: '`bodyBase64Hash` as create-transfer gave it', schema: STRING },
  },
  result: ref('Transfer'),
  errors: {
    404: 'There is no such transfer, or it is of another merchant than the key',
    422: 'There is neither reference nor bodyHash, or both, or no hash',
  },
  run: (call) => {
    const { parts, merchant } = call
    const transfer = asked(call)
    const isHidden = merchant !== null && transfer?.merchant !== null && transfer?.merchant !== merchant.id
    if (!transfer || transfer.network !== parts.network || isHidden)
      throw new TonlithError('notFound', 'transfer not found')
    return transferJson(transferInfo(transfer, Math.floor(parts.now() / 1000)))
  },
}

/** The calls of the published merchant SDK. */
export const SDK_ROUTES: readonly MerchantRoute[] = [created, found]
