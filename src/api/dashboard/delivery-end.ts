import type { Clock } from '../../common/clock.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findDelivery } from '../../store/payments/events.ts'

const LOOK_MS = 50
/** An attempt ends within 10 s (spec.md, Limits); the page shows what follows by itself. */
const MOST_MS = 11_000

/**
 * Waits until another attempt to deliver an event has ended, or nothing is going to be sent, but not for long.
 * @param attempts how many there were before
 */
export const attemptEnded = async (
  store: PaymentStore,
  clock: Clock,
  event: string,
  attempts: number,
): Promise<void> => {
  const end = clock.monotonic() + MOST_MS
  while (clock.monotonic() < end) {
    const delivery = findDelivery(store, event)
    const isOver = delivery?.open === null && (delivery.attempts > attempts || delivery.state === 'ignored')
    if (!delivery || isOver) return
    await clock.sleep(LOOK_MS)
  }
}
