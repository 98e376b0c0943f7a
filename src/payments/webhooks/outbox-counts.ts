import type { Delivery } from '../../model/payments.ts'
import type { WrittenAttempts } from './attempt-writes.ts'

/** What became of deliveries since the process began. */
export interface OutboxCounts {
  delivered: number
  /** Attempts that failed. */
  failed: number
  exhausted: number
  ignored: number
}

/** Adds what was written. */
export const countWrites = (counts: OutboxCounts, { begun, deliveries }: WrittenAttempts): void => {
  const underWay = new Set(begun.map(({ event }) => event.id))
  for (const { event, state } of deliveries) {
    if (underWay.has(event)) continue
    const outcome: Partial<Record<Delivery['state'], keyof OutboxCounts>> = {
      delivered: 'delivered',
      ignored: 'ignored',
      exhausted: 'exhausted',
    }
    const counted = outcome[state]
    if (counted) counts[counted]++
    if (state === 'waiting' || state === 'exhausted') counts.failed++
  }
}
