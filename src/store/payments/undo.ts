import { bytesOfUlid } from '../../common/ulid.ts'
import type { KeyNetwork } from '../../model/api-key.ts'
import type { Delivery, Transfer, WebhookEvent } from '../../model/payments.ts'
import { changeDelivery } from './deliveries.ts'
import type { PaymentStore } from './environment.ts'
import { eventsOfTransfer, findDelivery } from './events.ts'
import { firstUlid, paidKey, paidTransactionIn } from './keys.ts'
import { encodeTransfer } from './rows.ts'
import { enterUnpaid, findTransfer } from './transfers.ts'

/** A payment whose transaction is not on the chain any more. */
export interface GonePayment {
  readonly reference: string
  readonly tx_hash: Buffer
}

const UNDONE = 'the payment was undone: the network went back behind it'

const isAbout = ({ body }: WebhookEvent, tx_hash: Buffer): boolean => {
  const { data } = JSON.parse(body.toString()) as { data?: { txHash?: unknown } }
  return data?.txHash === tx_hash.toString('base64')
}

const ignored = (delivery: Delivery, now: number) =>
  delivery.state === 'waiting'
    ? { delivery: { ...delivery, state: 'ignored' as const, reason: UNDONE, due: null, changed: now } }
    : undefined

const undoOne = (store: PaymentStore, transfer: Transfer, tx_hash: Buffer, now: number): void => {
  const { reference } = transfer
  const payments = transfer.payments.filter((payment) => !payment.tx_hash.equals(tx_hash))
  store.tables.paid.removeSync(paidKey(reference, tx_hash))
  store.tables.transfers.putSync(bytesOfUlid(reference), encodeTransfer({ ...transfer, payments }))
  if (payments.length === 0 && transfer.payments.length > 0) enterUnpaid(store, transfer)
  for (const event of eventsOfTransfer(store, reference))
    if (isAbout(event, tx_hash) && findDelivery(store, event.id))
      changeDelivery(store, event.id, (is) => ignored(is, now))
}

/**
 * Takes payments back, in one transaction: their transfers are as they were without them, and webhooks about them that wait
 * are not sent; what was sent stays in the log. Those that are not known change nothing.
 * @param now unix milliseconds
 * @returns how many were taken back
 * @throws as Environment.transaction does
 */
export const undoPayments = (
  store: PaymentStore,
  network: KeyNetwork,
  gone: readonly GonePayment[],
  now: number,
): number =>
  store.transaction(() => {
    let count = 0
    for (const { reference, tx_hash } of gone) {
      const transfer = findTransfer(store, reference)
      if (transfer?.network !== network || !store.tables.paid.doesExist(paidKey(reference, tx_hash))) continue
      undoOne(store, transfer, tx_hash, now)
      count++
    }
    return count
  })

/** All payments of a network that are known. */
export const allPayments = (store: PaymentStore, network: KeyNetwork): GonePayment[] =>
  Array.from(store.tables.paid.getKeys(), (key) => ({
    reference: firstUlid(key),
    tx_hash: paidTransactionIn(key),
  })).filter(({ reference }) => findTransfer(store, reference)?.network === network)
