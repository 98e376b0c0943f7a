import { bytesOfUlid } from '../../common/ulid.ts'
import type { Attempt, Delivery, DeliveryState, Merchant, WebhookEvent } from '../../model/payments.ts'
import { behind } from '../keys.ts'
import { NO_VALUE } from '../tables.ts'
import type { PaymentStore } from './environment.ts'
import { attemptKey, dueKey, lastUlid, pairKey } from './keys.ts'
import { type ListPage, newestFirst, type PageRequest } from './newest-first.ts'
import { decodeAttempt, decodeDelivery, decodeEvent, encodeDelivery, encodeEvent } from './rows.ts'

/** An event with how its delivery stands: a line of the delivery log. */
export interface LoggedEvent {
  readonly event: WebhookEvent
  readonly delivery: Delivery
}

/** The delivery of an event that was just made: due at once, or ignored where the merchant has no URL. */
export const newDelivery = (event: WebhookEvent, { webhook }: Pick<Merchant, 'webhook'>): Delivery => ({
  event: event.id,
  merchant: event.merchant,
  state: webhook.url === null ? 'ignored' : 'waiting',
  reason: webhook.url === null ? 'no URL is set' : null,
  attempts: 0,
  failures: 0,
  due: webhook.url === null ? null : event.created,
  manual: false,
  open: null,
  created: event.created,
  changed: event.created,
})

/**
 * Writes a new event and its delivery, in one transaction (that of the caller, where it is within one).
 * @throws as Environment.transaction does
 */
export const addEvent = (store: PaymentStore, event: WebhookEvent, delivery: Delivery): void =>
  store.transaction(() => {
    const { tables } = store
    const id = bytesOfUlid(event.id)
    tables.events.putSync(id, encodeEvent(event))
    tables.events_by_merchant.putSync(pairKey(event.merchant, event.id), NO_VALUE)
    if (event.reference !== null) tables.events_by_transfer.putSync(pairKey(event.reference, event.id), NO_VALUE)
    tables.deliveries.putSync(id, encodeDelivery(delivery))
    if (delivery.due !== null) tables.due.putSync(dueKey(delivery.merchant, delivery.due, delivery.event), NO_VALUE)
  })

export const findEvent = ({ tables }: PaymentStore, id: string): WebhookEvent | undefined => {
  const bytes = tables.events.get(bytesOfUlid(id))
  return bytes && decodeEvent(bytes)
}

export const findDelivery = ({ tables }: PaymentStore, event: string): Delivery | undefined => {
  const bytes = tables.deliveries.get(bytesOfUlid(event))
  return bytes && decodeDelivery(bytes)
}

/** An event of this merchant with its delivery; undefined where it has none of this id. */
export const findLogged = (store: PaymentStore, merchant: string, id: string): LoggedEvent | undefined => {
  const event = findEvent(store, id)
  const delivery = event?.merchant === merchant ? findDelivery(store, id) : undefined
  return event && delivery && { event, delivery }
}

/** A merchant's events with their deliveries, the newest first. For a page of one state see fullPage. */
export const listLogged = (
  store: PaymentStore,
  merchant: string,
  request: PageRequest & { state?: DeliveryState },
): ListPage<LoggedEvent> =>
  newestFirst(store.tables.events_by_merchant, merchant, request, (id) => {
    const delivery = findDelivery(store, id)
    if (!delivery || (request.state !== undefined && delivery.state !== request.state)) return undefined
    const event = findEvent(store, id)
    return event && { event, delivery }
  })

/** The events about a transfer, the oldest first. */
export const eventsOfTransfer = (store: PaymentStore, reference: string): WebhookEvent[] => {
  const start = bytesOfUlid(reference)
  const end = behind(start)
  const ids = Array.from(store.tables.events_by_transfer.getKeys({ start, ...(end && { end }) }), lastUlid)
  return ids.flatMap((id) => findEvent(store, id) ?? [])
}

/** The attempts to deliver an event, the first one first; at most `limit`, the last ones. */
export const attemptsOf = ({ tables }: PaymentStore, event: string, limit = 100): Attempt[] =>
  Array.from(
    tables.attempts.getRange({ start: attemptKey(event, 0xffffffff), end: attemptKey(event, 0), reverse: true, limit }),
    ({ value }) => decodeAttempt(value),
  ).reverse()

/**
 * Removes events made before `time` (unix milliseconds) whose delivery is over, with their attempts, in one transaction.
 * @param limit how many at most
 * @returns how many these were
 */
export const pruneEvents = (store: PaymentStore, time: number, limit: number): number =>
  store.transaction(() => {
    const { tables } = store
    const over: WebhookEvent[] = []
    for (const { value } of tables.events.getRange()) {
      const event = decodeEvent(value)
      if (over.length === limit || event.created >= time) break
      if (findDelivery(store, event.id)?.state !== 'waiting') over.push(event)
    }
    for (const { id, merchant, reference } of over) {
      for (const { n } of attemptsOf(store, id, Number.POSITIVE_INFINITY)) tables.attempts.removeSync(attemptKey(id, n))
      tables.events.removeSync(bytesOfUlid(id))
      tables.events_by_merchant.removeSync(pairKey(merchant, id))
      if (reference !== null) tables.events_by_transfer.removeSync(pairKey(reference, id))
      tables.deliveries.removeSync(bytesOfUlid(id))
    }
    return over.length
  })
