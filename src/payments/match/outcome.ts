import type { MessageFailure } from '../../contracts/message-failure.ts'
import type { Transfer, TransferPayment } from '../../model/payments.ts'
import type { Address } from '../../ton/address.ts'
import type { PaymentTransaction } from './payment-transaction.ts'

/** A payment without the trace that it stands in. */
export interface Outcome {
  reference: string
  payment: Omit<TransferPayment, 'trace_id'>
}

/** Of whom, and how much in base units. */
interface Paid {
  transfer: Pick<Transfer, 'reference'>
  sender: Address
  raw_amount: bigint
}

/** TL-B action phase: not enough money for what it sends. */
const NOT_ENOUGH_MONEY = 37
/** The VM's code of a contract that ran out of gas. */
const OUT_OF_GAS = -14
/**
 * The code of what has none, as liteservers give it for an account that no get-method can be run on: no contract ran, or
 * one did nothing.
 */
const NOTHING_RAN = -256

/** The failure of a wallet that went on without a message it was asked to send. */
export const LEFT_OUT: MessageFailure = {
  phase: 'action',
  code: NOT_ENOUGH_MONEY,
  reason: 'the wallet did not send it: not enough money for what it sends',
}

/** The failure of a jetton wallet that did what it was asked for, and sent no jettons. */
export const NOTHING_SENT: MessageFailure = {
  phase: 'action',
  code: null,
  reason: "the sender's jetton wallet sent nothing to the recipient's",
}

const outcome = (
  { transfer, sender, raw_amount }: Paid,
  { hash, now }: PaymentTransaction,
  end: Pick<TransferPayment, 'status' | 'error_code' | 'error_message'>,
): Outcome => ({
  reference: transfer.reference,
  payment: { ...end, raw_amount, sender, tx_hash: hash, utime: now },
})

/** A payment that came to its recipient in a transaction. */
export const arrived = (paid: Paid, transaction: PaymentTransaction): Outcome =>
  outcome(paid, transaction, { status: 'success', error_code: null, error_message: null })

/** A payment that went no further than a transaction. */
export const failedAt = (paid: Paid, transaction: PaymentTransaction, failure: MessageFailure): Outcome =>
  outcome(paid, transaction, {
    status: 'failed',
    error_code: failure.code ?? (transaction.skipped === 'cskip_no_gas' ? OUT_OF_GAS : NOTHING_RAN),
    error_message: failure.reason,
  })
