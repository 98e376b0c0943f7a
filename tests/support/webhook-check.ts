import type { Merchant, WebhookEvent } from '../../src/model/payments.ts'
import { paySignature } from '../../src/payments/webhooks/sign.ts'
import type { PaymentStore } from '../../src/store/payments/environment.ts'
import { attemptsOf, findDelivery } from '../../src/store/payments/events.ts'
import type { Receiver, ReceiverKind } from './webhook-receivers.ts'

/** Receivers whose answer delivers. */
const DELIVERING: readonly ReceiverKind[] = ['200', 'huge']
/** A receiver that webhooks never reach. */
const UNREACHED: ReceiverKind = 'certificate'

/** What is known of one event once all is over. */
export interface CheckedEvent {
  kind: ReceiverKind
  attempts: number
  interrupted: number
  state: string
  /** What is wrong with it, in words. */
  faults: string[]
  /** How much later than its schedule each retry began, in milliseconds. */
  late: number[]
}

/** Checks an event against what its receiver has got: at least once, or four times in vain, always the same. */
export const checkEvent = (
  store: PaymentStore,
  merchant: Merchant,
  receiver: Receiver,
  event: WebhookEvent,
  delays: readonly number[],
): CheckedEvent => {
  const { kind } = receiver
  const delivery = findDelivery(store, event.id)!
  const attempts = attemptsOf(store, event.id)
  const received = receiver.received.filter(({ id }) => id === event.id)
  const interrupted = attempts.filter(({ ended }) => ended === null).length
  const faults: string[] = []
  const expects = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault)
  }
  const signature = paySignature(merchant.webhook.secrets[0]!.secret, event.body)
  const body = event.body.toString()
  expects(
    received.every((one) => one.body === body && one.signature === signature),
    'it came with other bytes or another signature',
  )
  expects(received.length <= attempts.length, `it came ${received.length} times in ${attempts.length} attempts`)
  const answered = attempts.filter(({ status }) => status !== null).length
  expects(received.length >= answered, `${answered} were answered, ${received.length} came`)
  expects(kind !== UNREACHED || received.length === 0, 'it came where the certificate is not valid')
  expects(delivery.open === null && delivery.due === null, 'it is not over')
  expects(delivery.attempts === attempts.length, 'an attempt is not noted')
  expects(
    attempts.every(({ n }, place) => n === place + 1),
    'attempts are not counted one by one',
  )
  const exhausted = delivery.state === 'exhausted' && attempts.length === delays.length + 1
  if (DELIVERING.includes(kind)) {
    expects(received.length > 0, 'it never came')
    expects(delivery.state === 'delivered' || (exhausted && interrupted > 0), `it is ${delivery.state}`)
  } else expects(exhausted, `it is ${delivery.state} after ${attempts.length} attempts`)
  const late = attempts.slice(1).map(({ begun }, place) => {
    const before = attempts[place]!
    return begun - (before.ended ?? before.begun) - delays[place]!
  })
  expects(
    late.every((ms) => ms >= 0),
    `a retry came ${-Math.min(...late)} ms early`,
  )
  return { kind, attempts: attempts.length, interrupted, state: delivery.state, faults, late }
}

/** The time of `from` to `until` in which one of these spans was running; all in unix milliseconds. */
export const timeWithin = (spans: readonly { from: number; until: number }[], from: number, until: number): number =>
  spans.reduce((sum, span) => sum + Math.max(0, Math.min(until, span.until) - Math.max(from, span.from)), 0)
