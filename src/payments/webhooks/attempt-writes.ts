import type { KeyNetwork } from '../../model/api-key.ts'
import type { Attempt, Delivery, Merchant, WebhookEvent } from '../../model/payments.ts'
import { changeDelivery, findAttempt } from '../../store/payments/deliveries.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findDelivery, findEvent } from '../../store/payments/events.ts'
import { findMerchant } from '../../store/payments/merchants.ts'
import {
  beginAttempt,
  endAttempt,
  ignoreDelivery,
  interruptAttempt,
  policyOf,
  type RetryPolicy,
} from './delivery-steps.ts'
import type { SendResult } from './send.ts'
import { readWebhookUrl } from './webhook-url.ts'

/** An attempt that has begun. */
export interface Sending {
  readonly event: WebhookEvent
  readonly merchant: Merchant
  readonly attempt: Attempt
  readonly url: URL
}

/** An attempt that has ended, at unix milliseconds. */
export interface Sent extends Sending {
  readonly result: SendResult
  readonly ended: number
}

/** What is written at once. */
export interface AttemptWrites {
  readonly ended: readonly Sent[]
  /** Deliveries that are due. */
  readonly due: readonly { merchant: string; event: string }[]
}

export interface WrittenAttempts {
  /** To be sent, now that it is on disk that they began. */
  readonly begun: readonly Sending[]
  /** All deliveries that have changed, as they are now. */
  readonly deliveries: readonly Delivery[]
}

/** The network of these deliveries, and when they are tried again. */
export interface DeliveryRules {
  readonly network: KeyNetwork
  readonly policy: RetryPolicy
}

/** Begins the attempt of a delivery that is due, ends the one that the process has died over, or says why nothing is sent. */
const beginOne = (
  store: PaymentStore,
  { network, policy }: DeliveryRules,
  event: WebhookEvent,
  merchant: Merchant,
  now: number,
): { begun: Sending | undefined; delivery: Delivery } => {
  let begun: Sending | undefined
  const delivery = changeDelivery(store, event.id, (found) => {
    if (found.state !== 'waiting') return undefined
    const open = found.open === null ? undefined : findAttempt(store, event.id, found.open)
    if (open) return interruptAttempt(found, open, policyOf(event, policy), now)
    const text = merchant.webhook.url
    const url = text === null ? 'no URL is set' : readWebhookUrl(text, network)
    if (typeof url === 'string') return ignoreDelivery(found, url, now)
    const change = beginAttempt(found, url.href, now)
    begun = { event, merchant, attempt: change.attempt, url }
    return change
  })
  return { begun, delivery }
}

/**
 * Writes the ends of attempts and the beginnings of others in one transaction.
 * @param now unix milliseconds
 * @throws as Environment.transaction does: then nothing is written
 */
export const writeAttempts = (
  store: PaymentStore,
  rules: DeliveryRules,
  { ended, due }: AttemptWrites,
  now: number,
): WrittenAttempts =>
  store.transaction(() => {
    const deliveries: Delivery[] = []
    for (const { event, attempt, result, ended: at } of ended) {
      const found = findDelivery(store, event.id)
      if (found?.open !== attempt.n) continue
      const policy = policyOf(event, rules.policy)
      deliveries.push(changeDelivery(store, event.id, () => endAttempt(found, attempt, result, policy, at)))
    }
    const begun: Sending[] = []
    for (const one of due) {
      const event = findEvent(store, one.event)
      const merchant = findMerchant(store, one.merchant)
      if (!event || !merchant) continue
      const step = beginOne(store, rules, event, merchant, now)
      deliveries.push(step.delivery)
      if (step.begun) begun.push(step.begun)
    }
    return { begun, deliveries }
  })
