import type { Clock } from '../../common/clock.ts'
import { isTonlithError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { pruneEvents } from '../../store/payments/events.ts'

export interface LogRetentionOptions {
  store: PaymentStore
  /** Milliseconds that an event is kept for, once its delivery is over. */
  retainMs: number
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

const EVERY_MS = 600_000
const AT_ONCE = 200
const REST_MS = 100

/** Removes old events and what is noted of their deliveries, a few at a time, until it is ended. */
export const keepLogShort = async ({ store, retainMs, clock, logger, signal }: LogRetentionOptions): Promise<void> => {
  while (!signal.aborted) {
    let removed = 0
    try {
      removed = pruneEvents(store, clock.now() - retainMs, AT_ONCE)
    } catch (error) {
      if (!isTonlithError(error)) throw error
      logger.warn({ reason: error.message }, 'old webhooks cannot be removed for now')
    }
    await clock.sleep(removed < AT_ONCE ? EVERY_MS : REST_MS, signal)
  }
}
