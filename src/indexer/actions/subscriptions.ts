import { integerIn, recordIn } from '../../contracts/fields.ts'
import type { SubscriptionDetails } from '../../model/actions/subscriptions.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'

const PAYMENT_REQUEST = 0x706c7567
const PAYMENT_CONFIRMED = 0xf06c7567
const PAYMENT = 0x73756273
const DESTRUCT = 0x64737472

const told = (type: 'subscribe' | 'unsubscribe', details: SubscriptionDetails, failed: boolean): Made => ({
  btype: type,
  content: { type, details },
  columns: {
    source: details.subscriber,
    destination: details.beneficiary,
    destination_secondary: details.subscription,
    amount: details.amount,
  },
  failed,
})

/** What a wallet pays to a subscription of its plug-ins, at its first request or any later one. */
export const subscribe: Matcher = {
  name: 'payment for a subscription',
  pattern: call(PAYMENT_CONFIRMED, {
    bare: true,
    child: call(PAYMENT, { as: 'payment' }),
    parent: maybe(call(PAYMENT_REQUEST, { as: 'request' })),
  }),
  build: (start, match) => {
    const { source: subscriber, destination: subscription, value } = messageOf(start)
    const request = match.one('request')
    const asked = request && integerIn(recordIn(request.nodes[0]!.said(), 'amount'), 'grams')
    const beneficiary = messageOf(match.one('payment')!).destination
    return told(
      'subscribe',
      { subscriber, beneficiary, subscription, amount: asked ?? value },
      request?.failed ?? false,
    )
  },
}

/** A wallet that gives up a plug-in, which sends on what it has left. */
export const unsubscribe: Matcher = {
  name: 'end of a subscription',
  pattern: call(DESTRUCT, { bare: true, child: maybe(call(DESTRUCT, { as: 'rest' })) }),
  build: (start, match) => {
    const { source: subscriber, destination: subscription } = messageOf(start)
    const rest = match.one('rest')
    const sent = rest && messageOf(rest)
    return told(
      'unsubscribe',
      { subscriber, beneficiary: sent?.destination ?? null, subscription, amount: sent?.value ?? null },
      start.failed,
    )
  },
}
