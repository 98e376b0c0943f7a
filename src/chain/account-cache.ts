import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import { createSharedRuns, type SharedWork } from '../common/shared-runs.ts'
import type { StopSignal } from '../common/stop.ts'
import type { TransactionId } from '../model/transaction-id.ts'

/** What was read of an account, and the bytes that its cells keep alive. */
export interface AccountReading<T> {
  value: T
  bytes: number
}

/** An account's place at a masterchain block. */
export interface AccountEdge {
  /** Its newest transaction; NO_TRANSACTION's values when it has none. */
  transaction: TransactionId
  /** End lt of the shard block whose state says so; 0 in a workchain that has no shards. */
  end_lt: bigint
}

/** What masterchain blocks say of accounts: that never changes. Bounded by bytes; those used least go first. */
export interface AccountCache<T> {
  /** What is remembered under the key. */
  known(key: string): T | undefined
  /**
   * The same, or what `load` gives. Callers of the same key share one load, which is cancelled when the last of them has
   * given up; a failed one is forgotten. Throws what `load` throws, and `timeout` when the caller's signal ends the wait.
   */
  get(key: string, load: SharedWork<AccountReading<T>>, signal: StopSignal | undefined): Promise<T>
}

/** Parsed cells with their hashes take so many times the bytes that they have in a bag (measured: 6.5). */
const GROWTH = 7
const OBJECT_BYTES = 1_000

const gaveUp = (): TonlithError => new TonlithError('timeout', 'LITE_SERVER_NETWORK timeout', { code: 504 })

/** Resolves as the reading does, or rejects when the signal ends the wait. */
const orGiveUp = <T>(reading: Promise<T>, signal: StopSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(gaveUp())
    signal.addEventListener('abort', giveUp)
    reading.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })

export const createAccountCache = <T>(maxBytes: number): AccountCache<T> => {
  const known = new LRUCache<string, AccountReading<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes * GROWTH + OBJECT_BYTES,
  })
  const runs = createSharedRuns<AccountReading<T>>()
  return {
    known: (key) => known.get(key)?.value,
    get: async (key, load, signal) => {
      const found = known.get(key)
      if (found) return found.value
      if (signal?.aborted) throw gaveUp()
      const { result, leave } = runs.join(key, async (shared) => {
        const reading = await load(shared)
        known.set(key, reading)
        return reading
      })
      try {
        return (await (signal ? orGiveUp(result, signal) : result)).value
      } finally {
        leave()
      }
    },
  }
}
