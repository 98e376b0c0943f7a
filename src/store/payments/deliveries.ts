import { TonlithError } from '../../common/errors.ts'
import { bytesOfUlid } from '../../common/ulid.ts'
import type { Attempt, Delivery } from '../../model/payments.ts'
import { behind } from '../keys.ts'
import { NO_VALUE } from '../tables.ts'
import type { PaymentStore } from './environment.ts'
import { findDelivery } from './events.ts'
import { attemptKey, dueIn, dueKey, firstUlid, lastUlid } from './keys.ts'
import { decodeAttempt, encodeAttempt, encodeDelivery } from './rows.ts'

/** A delivery that waits. */
export interface DueDelivery {
  readonly event: string
  /** Unix milliseconds. */
  readonly due: number
}

/** Merchants with deliveries that wait, each with when its next one is due (unix milliseconds). One look-up a merchant. */
export const dueMerchants = ({ tables }: PaymentStore): { merchant: string; due: number }[] => {
  const found: { merchant: string; due: number }[] = []
  let start: Buffer | undefined = Buffer.alloc(0)
  while (start) {
    let next: Buffer | undefined
    for (const key of tables.due.getKeys({ start, limit: 1 })) {
      const merchant = firstUlid(key)
      found.push({ merchant, due: dueIn(key) })
      next = behind(bytesOfUlid(merchant))
    }
    start = next
  }
  return found
}

/** The deliveries of a merchant that are due by `until` (unix milliseconds), the first due first. */
export const dueDeliveries = (
  { tables }: PaymentStore,
  merchant: string,
  { until, limit }: { until: number; limit: number },
): DueDelivery[] => {
  const start = bytesOfUlid(merchant)
  const end = behind(start)
  const due: DueDelivery[] = []
  for (const key of tables.due.getKeys({ start, ...(end && { end }), limit })) {
    const time = dueIn(key)
    if (time > until) break
    due.push({ event: lastUlid(key), due: time })
  }
  return due
}

export const findAttempt = ({ tables }: PaymentStore, event: string, n: number): Attempt | undefined => {
  const bytes = tables.attempts.get(attemptKey(event, n))
  return bytes && decodeAttempt(bytes)
}

/** What a delivery becomes, and the attempt that is written with it. */
export interface DeliveryChange {
  readonly delivery: Delivery
  readonly attempt?: Attempt
}

/**
 * Replaces the delivery of an event by what `change` makes of it, in one transaction: the list of what is due follows, and
 * the attempt that it gives is written beside it.
 * @param change is given the delivery as it is; it must not write. Undefined leaves all as it is
 * @returns the delivery as it is now
 * @throws TonlithError `notFound` when there is no such event; what `change` throws; as Environment.transaction does
 */
export const changeDelivery = (
  store: PaymentStore,
  event: string,
  change: (delivery: Delivery) => DeliveryChange | undefined,
): Delivery =>
  store.transaction(() => {
    const { tables } = store
    const found = findDelivery(store, event)
    if (!found) throw new TonlithError('notFound', 'there is no such event')
    const changed = change(found)
    if (!changed) return found
    const { delivery, attempt } = changed
    if (found.due !== null) tables.due.removeSync(dueKey(found.merchant, found.due, event))
    if (delivery.due !== null) tables.due.putSync(dueKey(delivery.merchant, delivery.due, event), NO_VALUE)
    tables.deliveries.putSync(bytesOfUlid(event), encodeDelivery(delivery))
    if (attempt) tables.attempts.putSync(attemptKey(event, attempt.n), encodeAttempt(attempt))
    return delivery
  })
