import { randomBytes } from 'node:crypto'
import { TonlithError } from '../../common/errors.ts'
import { makeUlid } from '../../common/ulid.ts'
import type { Delivery, Merchant, WebhookEvent } from '../../model/payments.ts'
import { changeDelivery } from '../../store/payments/deliveries.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { addEvent, findLogged, listLogged, newDelivery } from '../../store/payments/events.ts'
import { ignoredReason } from '../webhook-url.ts'
import { sendAgain } from './delivery-steps.ts'
import { type SampleStatus, sampleBody } from './sample-event.ts'

/** Test events of a merchant that may be made within TESTS_MS. */
const MAX_TESTS = 10
const TESTS_MS = 10_000
const ULID_RANDOM_BYTES = 10
/** Attempts of one event after which it is not sent again by hand: each is kept in the log. */
export const MAX_ATTEMPTS = 1_000

const refuseIgnored = ({ webhook, network }: Merchant): void => {
  const reason = webhook.url === null ? 'no URL is set' : ignoredReason(webhook.url, network)
  if (reason !== null) throw new TonlithError('conflict', `nothing can be sent: ${reason}`)
}

/**
 * Has an event sent again at once, with all its retries, whatever became of it before; an attempt that is under way ends
 * first. It is the same event: its id and body stay.
 * @param now unix milliseconds
 * @throws TonlithError `notFound` when the merchant has no such event, `conflict` when nothing can be sent to it, and after
 * MAX_ATTEMPTS; as Environment.transaction does
 */
export const resendEvent = (store: PaymentStore, merchant: Merchant, id: string, now: number): Delivery => {
  const logged = findLogged(store, merchant.id, id)
  if (!logged) throw new TonlithError('notFound', 'there is no such event')
  refuseIgnored(merchant)
  if (logged.delivery.attempts >= MAX_ATTEMPTS)
    throw new TonlithError('conflict', `it is not sent again: there were ${MAX_ATTEMPTS} attempts already`)
  return changeDelivery(store, id, (delivery) => sendAgain(delivery, now))
}

/**
 * Makes an event about a transfer that nobody made, which is sent once, signed as all are.
 * @param now unix milliseconds
 * @throws TonlithError `conflict` when nothing can be sent to the merchant, and when it has made many just now; as
 * Environment.transaction does
 */
export const makeTestEvent = (
  store: PaymentStore,
  merchant: Merchant,
  status: SampleStatus,
  now: number,
): WebhookEvent => {
  refuseIgnored(merchant)
  const newest = listLogged(store, merchant.id, { limit: MAX_TESTS }).items
  if (newest.filter(({ event }) => event.test && Math.abs(now - event.created) < TESTS_MS).length >= MAX_TESTS)
    throw new TonlithError('conflict', 'there were many test events just now: wait a moment')
  const newId = (): string => makeUlid(now, randomBytes(ULID_RANDOM_BYTES))
  const event: WebhookEvent = {
    id: newId(),
    merchant: merchant.id,
    reference: null,
    kind: 'transfer.completed',
    test: true,
    body: sampleBody(merchant, status, newId(), now),
    created: now,
  }
  addEvent(store, event, newDelivery(event, merchant))
  return event
}
