import type { Transfer, TransferPayment, TransferStatus } from './payments.ts'

/** True for a payment that brought at least what was asked. */
export const isFullPayment = ({ raw_amount }: Pick<Transfer, 'raw_amount'>, payment: TransferPayment): boolean =>
  payment.status === 'success' && payment.raw_amount >= raw_amount

/**
 * The payment that a look-up shows: the first that brought at least what was asked, else the first that brought anything,
 * else the last that failed.
 */
export const shownPayment = (transfer: Pick<Transfer, 'raw_amount' | 'payments'>): TransferPayment | undefined => {
  const { payments } = transfer
  return (
    payments.find((payment) => isFullPayment(transfer, payment)) ??
    payments.find(({ status }) => status === 'success') ??
    payments.at(-1)
  )
}

/** @param now unix seconds */
export const transferStatus = (
  transfer: Pick<Transfer, 'raw_amount' | 'payments' | 'expires'>,
  now: number,
): TransferStatus => shownPayment(transfer)?.status ?? (now < transfer.expires ? 'pending' : 'expired')
