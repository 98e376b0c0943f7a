import type { SharedTable } from '../../common/shared-table.ts'
import type { RateLimiter } from './rate-limit.ts'

const SECOND = 1e9
const NS_PER_MS = 1e6

/**
 * The same budgets as createRateLimiter's, counted for all processes that have the table: a name's number is the time at
 * which its budget is whole again, in nanoseconds, which each call puts off by its share (the generic cell rate algorithm).
 * @param now milliseconds that are the same in all of them, or nearly so
 */
export const createSharedRateLimiter =
  (table: SharedTable, now: () => number): RateLimiter =>
  (who, rps, calls = 1, taken = 0) => {
    if (rps <= 0) return 0
    const capacity = Math.max(1, rps)
    if (calls > capacity) return Number.POSITIVE_INFINITY
    const each = SECOND / rps
    const room = capacity * each
    let wait = 0
    table.update(who, (whole) => {
      const at = now() * NS_PER_MS
      const left = Number(whole) - at
      // What is much further away was counted by a clock that is another one.
      const ahead = left > room + SECOND ? 0 : Math.min(room, Math.max(0, left))
      const next = ahead + (calls - taken) * each
      wait = next > room ? (ahead + calls * each - room) / SECOND : 0
      return wait > 0 ? whole : BigInt(Math.floor(at + next))
    })
    return wait
  }
