import type { SharedTable } from '../../common/shared-table.ts'
import { createSharedWindows } from '../../common/shared-windows.ts'
import { callerOf } from '../middleware/client-address.ts'
import type { RateLimiter } from '../middleware/rate-limit.ts'
import { ALL_PER_SECOND, MAX_ATTEMPTS, REMEMBERED_MS, type SignInLimit } from './sign-in-limit.ts'

const MS_PER_SECOND = 1_000

/**
 * The limit of createSignInLimit, counted for all processes that have the table.
 * @param limiter counts for the same processes
 * @param now milliseconds that are the same in all of them, or nearly so
 */
export const createSharedSignInLimit = (table: SharedTable, limiter: RateLimiter, now: () => number): SignInLimit => {
  const attempts = createSharedWindows(table, REMEMBERED_MS, now)
  const wait = (caller: string, more: number): number => attempts.count(caller, more, MAX_ATTEMPTS) / MS_PER_SECOND
  return {
    begin: (address) => {
      const caller = callerOf(address)
      return Math.ceil(wait(caller, 0) || limiter('attempts to sign in', ALL_PER_SECOND) || wait(caller, 1))
    },
    succeeded: (address) => attempts.forget(callerOf(address)),
  }
}
