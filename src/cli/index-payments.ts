import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import type { Batch } from '../model/batch.ts'
import { notePayments } from '../payments/note-payments.ts'
import { paymentSource } from '../payments/payment-source.ts'
import { watchAccounts } from '../payments/watched-accounts.ts'
import type { IndexStore } from '../store/index-store.ts'
import { openPaymentStore } from '../store/payments/environment.ts'
import type { Address } from '../ton/address.ts'
import { openForServer } from './open-for-server.ts'

/** The transfers whose payments an index finds. */
export interface IndexPayments {
  /** Finds payments in what was written of a batch, within its transaction. Throws `unavailable` while it cannot look. */
  note(index: IndexStore, batch: Batch): void
  /** Looks which accounts transfers concern by now (unix seconds), for `isWatched`. Throws as `note` does. */
  watch(now: number): void
  isWatched(address: Address): boolean
  close(): Promise<void>
}

/** What of the payments store cannot be read is no damage of the index, and no payment may be missed for it. */
const reading = <T>(work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    if (!isTonlithError(cause)) throw cause
    throw new TonlithError('unavailable', `the payments store cannot be read: ${cause.message}`, { cause })
  }
}

/**
 * Opens the transfers of a network in the data folder.
 * @throws TonlithError as openForServer does
 */
export const openIndexPayments = async (
  data: string,
  network: KeyNetwork,
  logger: Logger,
): Promise<IndexPayments | undefined> => {
  const store = await openForServer(
    (readOnly) => openPaymentStore(data, readOnly),
    (reason) => logger.error({ reason }, 'no payments are found: their store cannot be read'),
  )
  if (!store) return undefined
  const read = paymentSource(store, network)
  const source: typeof read = {
    any: () => reading(read.any),
    byBodyHash: (hash) => reading(() => read.byBodyHash(hash)),
    byReference: (reference) => reading(() => read.byReference(reference)),
  }
  const watched = watchAccounts(store, network)
  return {
    note: (index, batch) => {
      store.renew()
      notePayments(index, batch, source)
    },
    watch: (now) => {
      store.renew()
      reading(() => watched.refresh(now))
    },
    isWatched: watched.has,
    close: () => store.close(),
  }
}
