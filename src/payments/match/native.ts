import type { Transfer } from '../../model/payments.ts'
import type { Address } from '../../ton/address.ts'
import { arrived, failedAt, type Outcome } from './outcome.ts'
import type { PaymentTransaction } from './payment-transaction.ts'

/**
 * What came of a native payment whose message the recipient's transaction took: it arrived, with all that the message
 * carried, unless that transaction failed (and the message bounced, where it was to).
 */
export const nativeOutcome = (
  transfer: Transfer,
  sender: Address,
  raw_amount: bigint,
  transaction: PaymentTransaction,
): Outcome => {
  const paid = { transfer, sender, raw_amount }
  const { failure } = transaction
  return failure ? failedAt(paid, transaction, failure) : arrived(paid, transaction)
}
