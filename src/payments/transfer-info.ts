import type { KeyNetwork } from '../model/api-key.ts'
import type { Transfer, TransferPayment } from '../model/payments.ts'
import { shownPayment, transferStatus } from '../model/transfer-status.ts'
import { type Address, friendlyAddress } from '../ton/address.ts'
import { amountText } from './asset-amount.ts'

/** What stands for the native coin as asset and as its ticker. */
export const NATIVE_ASSET = 'TON'

/** A transfer as merchants see it: `data` of `transfer.completed`, and the answer of a look-up. */
export interface TransferInfo {
  readonly amount: string
  readonly rawAmount: string
  readonly senderAddr: string
  readonly recipientAddr: string
  readonly asset: string
  readonly assetTicker?: string
  readonly status: string
  readonly reference: string
  readonly bodyBase64Hash: string
  /** Base64; empty while nothing was paid. So is `traceId`. */
  readonly txHash: string
  readonly traceId: string
  readonly commentToSender?: string
  readonly commentToRecipient?: string
  /** ISO 8601: block time of the payment; while nothing was paid, when the transfer was asked for. */
  readonly date: string
  readonly errorCode?: number
  readonly errorMessage?: string
}

/** The friendly form of an address on a network. */
export const shownAddress = (address: Address, network: KeyNetwork, bounceable: boolean): string =>
  friendlyAddress(address, { bounceable, testOnly: network === 'testnet' })

/** ISO 8601 of unix seconds. */
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const outcomeOf = (payment: TransferPayment) => ({
  txHash: payment.tx_hash.toString('base64'),
  traceId: payment.trace_id.toString('base64'),
  date: isoTime(payment.utime),
  ...(payment.error_code !== null && { errorCode: payment.error_code }),
  ...(payment.error_message !== null && { errorMessage: payment.error_message }),
})

const infoOf = (transfer: Transfer, status: string, payment: TransferPayment | undefined): TransferInfo => {
  const { network, asset, decimals, ticker, comment_to_sender, comment_to_recipient } = transfer
  const { raw_amount, sender } = payment ?? transfer
  const { txHash, traceId, date, ...failure } = payment
    ? outcomeOf(payment)
    : { txHash: '', traceId: '', date: isoTime(transfer.created) }
  return {
    amount: amountText(raw_amount, decimals),
    rawAmount: String(raw_amount),
    senderAddr: shownAddress(sender, network, false),
    recipientAddr: shownAddress(transfer.recipient, network, transfer.recipient_bounceable),
    asset: asset === null ? NATIVE_ASSET : shownAddress(asset, network, true),
    ...(ticker !== null && { assetTicker: ticker }),
    status,
    reference: transfer.reference,
    bodyBase64Hash: transfer.body_hash.toString('base64'),
    txHash,
    traceId,
    ...(comment_to_sender !== null && { commentToSender: comment_to_sender }),
    ...(comment_to_recipient !== null && { commentToRecipient: comment_to_recipient }),
    date,
    ...failure,
  }
}

/** A transfer by one of its payments, as the event about it tells it. */
export const paymentInfo = (transfer: Transfer, payment: TransferPayment): TransferInfo =>
  infoOf(transfer, payment.status, payment)

/**
 * A transfer as a look-up shows it: by its best payment, else as asked for, with the status `pending` or `expired`.
 * @param now unix seconds
 */
export const transferInfo = (transfer: Transfer, now: number): TransferInfo =>
  infoOf(transfer, transferStatus(transfer, now), shownPayment(transfer))

/**
 * The body of `transfer.completed`: what is sent and signed, to the byte.
 * @param now unix milliseconds: when the event was made
 */
export const completedBody = (transfer: Transfer, payment: TransferPayment, now: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      event: 'transfer.completed',
      timestamp: new Date(now).toISOString(),
      data: paymentInfo(transfer, payment),
    }),
  )
