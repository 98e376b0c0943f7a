import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { nextTurn } from '../common/next-turn.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { PaymentCursor } from '../model/payments.ts'
import type { PaymentsBehind } from '../store/payment-rows.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { type AppliedPayment, applyPayments, paymentCursor } from '../store/payments/paid.ts'
import { completedBody } from './transfer-info.ts'

export interface PaymentConsumerOptions {
  store: PaymentStore
  network: KeyNetwork
  /** The payments of the index behind a cursor, `limit` at most; undefined while it cannot be read. */
  behind(cursor: PaymentCursor | undefined, limit: number): PaymentsBehind | undefined
  /** Gives a ULID: the id of a new event. @param now unix milliseconds */
  newId(now: number): string
  /** Called with payments that were new, once they are written. */
  applied(payments: readonly AppliedPayment[]): void
  clock: Clock
  logger: Logger
}

/** Takes over the payments that an index finds. */
export interface PaymentConsumer {
  /** Looks for payments, now or behind what is being done. Cheap where there are none. */
  wake(): void
  /** Ends it: what is being written is finished first. */
  stop(): Promise<void>
}

const PAGE = 100
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 3_000

/**
 * Brings the payments of an index into the payments store, a page in one transaction: the cursor, what was paid, and the
 * event and delivery that each payment makes. A page that cannot be read or written is tried again after a while; killed at
 * any moment it goes on where it was, and one that was taken over already makes nothing anew.
 */
export const startPaymentConsumer = (options: PaymentConsumerOptions): PaymentConsumer => {
  const { store, network, behind, newId, applied, clock, logger } = options
  const ending = new AbortController()
  const { signal } = ending
  let isWanted = false
  let running: Promise<void> | undefined

  /** Takes over one page; false when there was none. */
  const step = (): boolean => {
    store.renew()
    const page = behind(paymentCursor(store, network), PAGE)
    if (!page?.cursor) return false
    const now = clock.now()
    const payments = applyPayments(store, {
      network,
      cursor: page.cursor,
      found: page.found,
      now,
      newId: () => newId(now),
      body: (transfer, payment) => completedBody(transfer, payment, now),
    })
    if (payments.length > 0) applied(payments)
    return true
  }

  const run = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    await nextTurn()
    while (isWanted && !signal.aborted) {
      try {
        isWanted = step()
        pause = FIRST_PAUSE_MS
        await nextTurn()
      } catch (err) {
        if (!isTonlithError(err)) throw err
        logger.error({ err }, 'payments cannot be taken over from the index; it is tried again')
        await clock.sleep(pause, signal)
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
      }
    }
  }

  const wake = (): void => {
    isWanted = true
    running ??= run()
      .catch((err) => {
        isWanted = false
        logger.error({ err }, 'a mistake in what takes payments over')
      })
      .then(() => {
        running = undefined
        if (isWanted && !signal.aborted) wake()
      })
  }

  return {
    wake,
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
