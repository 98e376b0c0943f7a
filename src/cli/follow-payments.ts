import { randomBytes } from 'node:crypto'
import { systemClock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { makeUlid } from '../common/ulid.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { startPaymentConsumer } from '../payments/consume.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import type { LiveIndex } from './live-index.ts'

export interface FollowPaymentsOptions {
  store: PaymentStore
  network: KeyNetwork
  index: Pick<LiveIndex, 'host' | 'reader'>
  logger: Logger
  /** Called when something was paid, or failed: a delivery may be due. */
  found(): void
}

const RANDOM_BYTES = 10

/**
 * Takes over the payments that the index of a network finds, each time that it tells of something new, until the returned
 * function is called.
 */
export const followPayments = ({
  store,
  network,
  index,
  logger,
  found,
}: FollowPaymentsOptions): (() => Promise<void>) => {
  const consumer = startPaymentConsumer({
    store,
    network,
    behind: (cursor, limit) => index.reader()?.payments(cursor, limit),
    newId: (now) => makeUlid(now, randomBytes(RANDOM_BYTES)),
    applied: (payments) => {
      for (const { transfer, payment } of payments)
        logger.debug({ reference: transfer.reference, status: payment.status }, 'a payment was found')
      found()
    },
    clock: systemClock,
    logger,
  })
  const forget = index.host.onChange(consumer.wake)
  consumer.wake()
  return async () => {
    forget()
    await consumer.stop()
  }
}
