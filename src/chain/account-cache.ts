import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import { createSharedRuns, type SharedWork } from '../common/shared-runs.ts'
import type { StopSignal } from '../common/stop.ts'
import type { ProvenAccount } from '../ton/proof/account.ts'

/** A proven account, and the bytes that its cells keep alive. */
export interface AccountReading {
  account: ProvenAccount
  bytes: number
}

/** Accounts as masterchain blocks have them: that never changes. Bounded by bytes; those used least go first. */
export interface AccountCache {
  /**
   * The remembered account, or what `load` gives. Callers of the same key share one load, which is cancelled when the last
   * of them has given up; a failed one is forgotten. Throws what `load` throws, and `timeout` when the caller's signal ends
   * the wait.
   */
  get(key: string, load: SharedWork<AccountReading>, signal: StopSignal): Promise<ProvenAccount>
}

/** Parsed cells with their hashes take so many times the bytes that they have in a bag (measured: 6.5). */
const GROWTH = 7
const OBJECT_BYTES = 1_000

const gaveUp = (): TonlithError => new TonlithError('timeout', 'LITE_SERVER_NETWORK timeout', { code: 504 })

/** Resolves as the reading does, or rejects when the signal ends the wait. */
const orGiveUp = (reading: Promise<AccountReading>, signal: StopSignal): Promise<AccountReading> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(gaveUp())
    signal.addEventListener('abort', giveUp)
    reading.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })

export const createAccountCache = (maxBytes: number): AccountCache => {
  const known = new LRUCache<string, AccountReading>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes * GROWTH + OBJECT_BYTES,
  })
  const runs = createSharedRuns<AccountReading>()
  return {
    get: async (key, load, signal) => {
      const found = known.get(key)
      if (found) return found.account
      if (signal.aborted) throw gaveUp()
      const { result, leave } = runs.join(key, async (shared) => {
        const reading = await load(shared)
        known.set(key, reading)
        return reading
      })
      try {
        return (await orGiveUp(result, signal)).account
      } finally {
        leave()
      }
    },
  }
}
