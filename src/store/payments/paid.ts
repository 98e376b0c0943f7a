import { bytesOfUlid } from '../../common/ulid.ts'
import type { KeyNetwork } from '../../model/api-key.ts'
import {
  MAX_FULL_PAYMENTS,
  MAX_LESSER_PAYMENTS,
  type Merchant,
  type PaymentCursor,
  type Transfer,
  type TransferPayment,
  type WebhookEvent,
} from '../../model/payments.ts'
import { isFullPayment } from '../../model/transfer-status.ts'
import { NO_VALUE } from '../tables.ts'
import type { PaymentStore } from './environment.ts'
import { addEvent, newDelivery } from './events.ts'
import { paidKey } from './keys.ts'
import { findMerchant } from './merchants.ts'
import { decodeCursor, encodeCursor, encodeTransfer } from './rows.ts'
import { findTransfer, leaveUnpaid } from './transfers.ts'

/** A payment that was found on chain. */
export interface FoundPayment {
  readonly reference: string
  readonly payment: TransferPayment
}

/** What a page of found payments adds. */
export interface PaymentPage {
  readonly network: KeyNetwork
  readonly cursor: PaymentCursor
  readonly found: readonly FoundPayment[]
  /** Unix milliseconds: when the events are made. */
  readonly now: number
  /** Gives the id of a new event: a ULID. */
  readonly newId: () => string
  /** The bytes of the event about a payment; the transfer holds the payment already. Must not write. */
  readonly body: (transfer: Transfer, payment: TransferPayment, merchant: Merchant) => Buffer
}

/** A payment that was new. */
export interface AppliedPayment {
  readonly transfer: Transfer
  readonly payment: TransferPayment
  /** Null where the transfer has no merchant. */
  readonly event: WebhookEvent | null
}

/** How far the payments of a network have been taken over; undefined before the first. */
export const paymentCursor = ({ tables }: PaymentStore, network: KeyNetwork): PaymentCursor | undefined => {
  const bytes = tables.cursors.get(Buffer.from(network))
  return bytes && decodeCursor(bytes)
}

/** Payments that fail or fall short could be many, at another's whim: they leave room for those that are full. */
const hasRoom = (transfer: Transfer, payment: TransferPayment): boolean => {
  const full = isFullPayment(transfer, payment)
  const alike = transfer.payments.filter((other) => isFullPayment(transfer, other) === full).length
  return alike < (full ? MAX_FULL_PAYMENTS : MAX_LESSER_PAYMENTS)
}

const applyOne = (store: PaymentStore, page: PaymentPage, found: FoundPayment): AppliedPayment | undefined => {
  const { tables } = store
  const transfer = findTransfer(store, found.reference)
  const { payment, reference } = found
  const paid = paidKey(reference, payment.tx_hash)
  if (!transfer || transfer.network !== page.network || tables.paid.doesExist(paid)) return undefined
  const keep = (changed: Transfer): void =>
    void tables.transfers.putSync(bytesOfUlid(reference), encodeTransfer(changed))
  if (!hasRoom(transfer, payment)) {
    keep({ ...transfer, more_payments: transfer.more_payments + 1 })
    return undefined
  }
  tables.paid.putSync(paid, NO_VALUE)
  const changed = { ...transfer, payments: [...transfer.payments, payment] }
  leaveUnpaid(store, transfer)
  keep(changed)
  const merchant = transfer.merchant === null ? undefined : findMerchant(store, transfer.merchant)
  if (!merchant) return { transfer: changed, payment, event: null }
  const event: WebhookEvent = {
    id: page.newId(),
    merchant: merchant.id,
    reference,
    kind: 'transfer.completed',
    test: false,
    body: page.body(changed, payment, merchant),
    created: page.now,
  }
  addEvent(store, event, newDelivery(event, merchant))
  return { transfer: changed, payment, event }
}

/**
 * Takes over a page of payments in one transaction: the cursor, each payment that is new (by its reference and the hash of
 * its transaction) on its transfer, and the event and the delivery that it makes.
 * @throws as Environment.transaction does
 */
export const applyPayments = (store: PaymentStore, page: PaymentPage): AppliedPayment[] =>
  store.transaction(() => {
    const applied = page.found.flatMap((found) => applyOne(store, page, found) ?? [])
    store.tables.cursors.putSync(Buffer.from(page.network), encodeCursor(page.cursor))
    return applied
  })
