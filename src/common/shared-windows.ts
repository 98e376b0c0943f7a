import type { SharedTable } from './shared-table.ts'

/** Counts by name in stretches of time, each from a name's first count on, for all processes that have the table. */
export interface SharedWindows {
  /**
   * Counts so many more (0: none) where fewer than `most` are counted. Gives 0 then, else the milliseconds until the
   * stretch is over.
   */
  count(name: string, more: number, most: number): number
  /** The name starts anew. */
  forget(name: string): void
}

/** A number of the table is the time at which a stretch is over, and the count in its last bits. */
const COUNTS = 1n << 16n
/** How much the clocks of two processes may differ. */
const NEARLY_MS = 1_000
const MAX_COUNT = Number(COUNTS) - 1

/**
 * Makes counts of stretches of `lengthMs`.
 * @param now milliseconds that are the same in all processes, or nearly so
 */
export const createSharedWindows = (table: SharedTable, lengthMs: number, now: () => number): SharedWindows => ({
  count: (name, more, most) => {
    const at = Math.floor(now())
    let wait = 0
    table.update(name, (known) => {
      const left = Number(known / COUNTS) - at
      // What is much further away was counted by a clock that is another one.
      const isOpen = left > 0 && left <= lengthMs + NEARLY_MS
      const [count, rest] = isOpen ? [Number(known % COUNTS), Math.min(left, lengthMs)] : [0, lengthMs]
      wait = count >= most ? rest : 0
      if (wait > 0 || more === 0) return known
      return BigInt(at + rest) * COUNTS + BigInt(Math.min(MAX_COUNT, count + more))
    })
    return wait
  },
  forget: (name) => table.update(name, () => 0n),
})
