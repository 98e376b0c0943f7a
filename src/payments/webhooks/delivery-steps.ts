import type { Attempt, Delivery } from '../../model/payments.ts'
import type { DeliveryChange } from '../../store/payments/deliveries.ts'
import { type RetryDelays, retryDelay } from './retry-delay.ts'
import type { SendResult } from './send.ts'

/** When an event is tried again. */
export interface RetryPolicy {
  delays: RetryDelays
  /** From 0 to 1. */
  random(): number
}

/** What an attempt is noted with that nobody could end. */
export const INTERRUPTED = 'the server was stopped during the attempt'

/** What a test event has instead of the schedule: the merchant looks on, and asks for another one. */
const NO_RETRIES: RetryDelays = []

/** The schedule of an event. */
export const policyOf = ({ test }: { test: boolean }, policy: RetryPolicy): RetryPolicy =>
  test ? { ...policy, delays: NO_RETRIES } : policy

/** An attempt begins. Its delivery stays due: after a crash it is the first that is looked at. Times are unix milliseconds. */
export const beginAttempt = (delivery: Delivery, url: string, now: number): DeliveryChange & { attempt: Attempt } => {
  const n = delivery.attempts + 1
  const { event, manual } = delivery
  return {
    delivery: { ...delivery, attempts: n, open: n, due: now, manual: false },
    attempt: { event, n, manual, url, begun: now, ended: null, status: null, failure: null, answer: null },
  }
}

const afterFailure = (delivery: Delivery, { delays, random }: RetryPolicy, failedAt: number, now: number): Delivery => {
  const failures = delivery.failures + 1
  const delay = retryDelay(delays, failures, random)
  const failed = { ...delivery, failures, open: null }
  // Somebody has asked for another attempt meanwhile.
  if (delivery.manual) return { ...failed, failures: 0, due: now }
  return delay === undefined
    ? { ...failed, state: 'exhausted', due: null, changed: now }
    : { ...failed, due: Math.max(now, failedAt + delay) }
}

/** An attempt has ended at `now`. */
export const endAttempt = (
  delivery: Delivery,
  attempt: Attempt,
  result: SendResult,
  policy: RetryPolicy,
  now: number,
): DeliveryChange => ({
  delivery:
    result.failure === null
      ? { ...delivery, state: 'delivered', failures: 0, due: null, manual: false, open: null, changed: now }
      : afterFailure(delivery, policy, now, now),
  attempt: { ...attempt, ...result, ended: now },
})

/** The process has died over an attempt: it counts as one that failed as soon as it began. */
export const interruptAttempt = (
  delivery: Delivery,
  attempt: Attempt,
  policy: RetryPolicy,
  now: number,
): DeliveryChange => ({
  delivery: afterFailure(delivery, policy, Math.min(now, attempt.begun), now),
  attempt: { ...attempt, failure: INTERRUPTED },
})

/** Nothing is sent, for `reason`. */
export const ignoreDelivery = (delivery: Delivery, reason: string, now: number): DeliveryChange => ({
  delivery: { ...delivery, state: 'ignored', reason, due: null, manual: false, open: null, changed: now },
})

/** Somebody wants it sent again: at once, and with all its retries. */
export const sendAgain = (delivery: Delivery, now: number): DeliveryChange => ({
  delivery: {
    ...delivery,
    state: 'waiting',
    reason: null,
    failures: 0,
    due: now,
    manual: true,
    changed: delivery.state === 'waiting' ? delivery.changed : now,
  },
})
