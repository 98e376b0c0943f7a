import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** `amount` in nano-units. */
export type SubscriptionDetails = {
  subscriber: Address | null
  beneficiary: Address | null
  subscription: Address | null
  amount: bigint | null
}

export type SubscriptionAction =
  | ActionOf<'subscribe', SubscriptionDetails>
  | ActionOf<'unsubscribe', SubscriptionDetails>
