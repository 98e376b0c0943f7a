import { type JsonSchema, object, STRING } from '../json-schema.ts'

export const NULLABLE_TEXT: JsonSchema = { anyOf: [STRING, { type: 'null' }] }

const told = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

/** A transfer: `data` of `transfer.completed`, and what look-ups answer. */
const TRANSFER = object(
  {
    amount: told(STRING, 'In whole units: of the payment, or as asked for while there is none'),
    rawAmount: told(STRING, 'The same in base units'),
    senderAddr: told(STRING, 'Who paid, or was to pay'),
    recipientAddr: STRING,
    asset: told(STRING, '`TON`, or the master of the jetton'),
    assetTicker: STRING,
    status: { type: 'string', enum: ['pending', 'expired', 'success', 'failed'] },
    reference: STRING,
    bodyBase64Hash: told(STRING, 'Base64 of the hash of the body that the wallet signs'),
    txHash: told(STRING, 'Base64; empty while nothing was paid'),
    traceId: told(STRING, 'Base64; empty while nothing was paid'),
    commentToSender: STRING,
    commentToRecipient: STRING,
    date: told({ type: 'string', format: 'date-time' }, 'Of the payment, or of the asking while there is none'),
    errorCode: told({ type: 'integer' }, 'Of a payment that failed: exit or result code'),
    errorMessage: told(STRING, 'The same in words'),
  },
  ['assetTicker', 'commentToSender', 'commentToRecipient', 'errorCode', 'errorMessage'],
)

const ERROR = object({ error: STRING, code: told({ type: 'integer' }, 'The HTTP status') })

/** The schemas that routes refer to by name. */
export const MERCHANT_SCHEMAS: Readonly<Record<string, JsonSchema>> = { Transfer: TRANSFER, MerchantError: ERROR }
