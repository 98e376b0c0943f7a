import { hash } from 'node:crypto'
import type { Merchant, Transfer, TransferPayment } from '../../model/payments.ts'
import type { Address } from '../../ton/address.ts'
import { completedBody } from '../transfer-info.ts'

/** What the transfer of a sample came to. */
export const SAMPLE_STATUSES = ['success', 'failed'] as const
export type SampleStatus = (typeof SAMPLE_STATUSES)[number]

const RAW_AMOUNT = 10_500_000_000n
/** "Not enough coins", of the action phase. */
const ERROR_CODE = 37
const ERROR_MESSAGE = 'the wallet had not enough coins to send the transfer'

/** What stands where a real transfer has something of the chain: it is found nowhere. */
const madeUp = (what: string, reference: string): Buffer => hash('sha256', `${what} of ${reference}`, 'buffer')

/**
 * The body of a `transfer.completed` about a transfer that nobody made: 10.5 of the native coin to the merchant's wallet.
 * @param reference a new ULID, by which the merchant finds no order
 * @param now unix milliseconds
 */
export const sampleBody = (
  { network, wallet }: Pick<Merchant, 'network' | 'wallet'>,
  status: SampleStatus,
  reference: string,
  now: number,
): Buffer => {
  const seconds = Math.floor(now / 1000)
  const sender: Address = { workchain: 0, hash: madeUp('sender', reference) }
  const transfer: Transfer = {
    reference,
    merchant: null,
    network,
    asset: null,
    decimals: 9,
    ticker: 'TON',
    raw_amount: RAW_AMOUNT,
    sender,
    recipient: wallet ?? { workchain: 0, hash: madeUp('recipient', reference) },
    recipient_bounceable: false,
    jetton_wallets: null,
    body_hash: madeUp('body', reference),
    comment_to_sender: 'Test event',
    comment_to_recipient: 'Test event',
    query_id: 0n,
    created: seconds,
    expires: seconds,
    payments: [],
    more_payments: 0,
  }
  const payment: TransferPayment = {
    status,
    raw_amount: RAW_AMOUNT,
    sender,
    tx_hash: madeUp('transaction', reference),
    trace_id: madeUp('trace', reference),
    utime: seconds,
    error_code: status === 'failed' ? ERROR_CODE : null,
    error_message: status === 'failed' ? ERROR_MESSAGE : null,
  }
  return completedBody(transfer, payment, now)
}
