import { ulidTime } from '../../common/ulid.ts'
import { dueDeliveries } from '../../store/payments/deliveries.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'

/** How many deliveries are looked at, of one merchant and of all. */
const MAX_OF_MERCHANT = 64
const MAX_OF_ALL = 2_048

/**
 * When the oldest event was made (unix milliseconds) that waits to be delivered to one of these merchants; undefined where
 * none waits. Of a merchant with very many the ones are looked at that are due first.
 */
export const oldestWaiting = (store: PaymentStore, merchants: Iterable<string>): number | undefined => {
  let oldest: number | undefined
  let looked = 0
  for (const merchant of merchants) {
    if (looked >= MAX_OF_ALL) break
    for (const { event } of dueDeliveries(store, merchant, {
      until: Number.POSITIVE_INFINITY,
      limit: MAX_OF_MERCHANT,
    })) {
      looked++
      const time = ulidTime(event)
      if (oldest === undefined || time < oldest) oldest = time
    }
  }
  return oldest
}
