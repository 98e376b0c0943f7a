import { TonlithError } from '../../common/errors.ts'
import type {
  Attempt,
  Delivery,
  Merchant,
  MerchantKey,
  PaymentCursor,
  Transfer,
  TransferPayment,
  WebhookEvent,
} from '../../model/payments.ts'
import { type Address, rawAddress, tryParseAddress } from '../../ton/address.ts'

/*
 * Values of the tables: JSON objects, with addresses in raw form, hashes and other bytes in base64, and amounts as decimal
 * strings.
 */

type Row = { readonly [field: string]: unknown }

const encode = (row: Row): Buffer => Buffer.from(JSON.stringify(row))
const decode = <T>(bytes: Buffer): T => JSON.parse(bytes.toString()) as T

const damaged = (what: string): TonlithError => new TonlithError('malformed', `payments: a row has no ${what}`)

const addressOf = (text: string): Address => {
  const address = tryParseAddress(text)
  if (!address) throw damaged('address')
  return { workchain: address.workchain, hash: address.hash }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64')
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')
const orNull = <T, R>(value: T | null, convert: (value: T) => R): R | null => (value === null ? null : convert(value))

type MerchantRow = Omit<Merchant, 'wallet'> & { wallet: string | null }

export const encodeMerchant = (merchant: Merchant): Buffer =>
  encode({ ...merchant, wallet: orNull(merchant.wallet, rawAddress) })

export const decodeMerchant = (bytes: Buffer): Merchant => {
  const row = decode<MerchantRow>(bytes)
  return { ...row, wallet: orNull(row.wallet, addressOf) }
}

export const encodeMerchantKey = (key: MerchantKey): Buffer => encode({ ...key })
export const decodeMerchantKey = (bytes: Buffer): MerchantKey => decode<MerchantKey>(bytes)

type PaymentRow = Omit<TransferPayment, 'raw_amount' | 'sender' | 'tx_hash' | 'trace_id'> & {
  raw_amount: string
  sender: string
  tx_hash: string
  trace_id: string
}

type TransferRow = Omit<
  Transfer,
  'asset' | 'raw_amount' | 'sender' | 'recipient' | 'jetton_wallets' | 'body_hash' | 'query_id' | 'payments'
> & {
  asset: string | null
  raw_amount: string
  sender: string
  recipient: string
  jetton_wallets: { sender: string; recipient: string } | null
  body_hash: string
  query_id: string
  payments: PaymentRow[]
}

const paymentRow = (payment: TransferPayment): PaymentRow => ({
  ...payment,
  raw_amount: String(payment.raw_amount),
  sender: rawAddress(payment.sender),
  tx_hash: base64(payment.tx_hash),
  trace_id: base64(payment.trace_id),
})

const paymentOf = (row: PaymentRow): TransferPayment => ({
  ...row,
  raw_amount: BigInt(row.raw_amount),
  sender: addressOf(row.sender),
  tx_hash: bytesOf(row.tx_hash),
  trace_id: bytesOf(row.trace_id),
})

export const encodeTransfer = (transfer: Transfer): Buffer =>
  encode({
    ...transfer,
    asset: orNull(transfer.asset, rawAddress),
    raw_amount: String(transfer.raw_amount),
    sender: rawAddress(transfer.sender),
    recipient: rawAddress(transfer.recipient),
    jetton_wallets: orNull(transfer.jetton_wallets, ({ sender, recipient }) => ({
      sender: rawAddress(sender),
      recipient: rawAddress(recipient),
    })),
    body_hash: base64(transfer.body_hash),
    query_id: String(transfer.query_id),
    payments: transfer.payments.map(paymentRow),
  } satisfies TransferRow)

export const decodeTransfer = (bytes: Buffer): Transfer => {
  const row = decode<TransferRow>(bytes)
  return {
    ...row,
    asset: orNull(row.asset, addressOf),
    raw_amount: BigInt(row.raw_amount),
    sender: addressOf(row.sender),
    recipient: addressOf(row.recipient),
    jetton_wallets: orNull(row.jetton_wallets, ({ sender, recipient }) => ({
      sender: addressOf(sender),
      recipient: addressOf(recipient),
    })),
    body_hash: bytesOf(row.body_hash),
    query_id: BigInt(row.query_id),
    payments: row.payments.map(paymentOf),
  }
}

export const encodeEvent = (event: WebhookEvent): Buffer => encode({ ...event, body: base64(event.body) })

export const decodeEvent = (bytes: Buffer): WebhookEvent => {
  const row = decode<Omit<WebhookEvent, 'body'> & { body: string }>(bytes)
  return { ...row, body: bytesOf(row.body) }
}

export const encodeDelivery = (delivery: Delivery): Buffer => encode({ ...delivery })
export const decodeDelivery = (bytes: Buffer): Delivery => decode<Delivery>(bytes)

export const encodeAttempt = (attempt: Attempt): Buffer => encode({ ...attempt })
export const decodeAttempt = (bytes: Buffer): Attempt => decode<Attempt>(bytes)

export const encodeCursor = (cursor: PaymentCursor): Buffer =>
  encode({ index: cursor.index, position: base64(cursor.position) })

export const decodeCursor = (bytes: Buffer): PaymentCursor => {
  const { index, position } = decode<{ index: string; position: string }>(bytes)
  return { index, position: bytesOf(position) }
}
