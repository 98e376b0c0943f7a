import type { Clock } from '../common/clock.ts'

/** How fast the index grows, over the last while. */
export interface Rates {
  /** Masterchain blocks per second. */
  blocks: number
  transactions: number
}

/** Measures what is committed. */
export interface Progress {
  /** Counts a masterchain block with its transactions. */
  committed(transactions: number): void
  rates(): Rates
  readonly blocks: number
  readonly transactions: number
}

const WINDOW_MS = 10_000
const SLOT_MS = 500

interface Slot {
  at: number
  blocks: number
  transactions: number
}

export const createProgress = (clock: Clock): Progress => {
  const startedAt = clock.monotonic()
  const slots: Slot[] = []
  const total = { blocks: 0, transactions: 0 }

  const forget = (now: number): void => {
    while (slots[0] && slots[0].at < now - WINDOW_MS) slots.shift()
  }

  return {
    get blocks() {
      return total.blocks
    },
    get transactions() {
      return total.transactions
    },
    committed: (transactions) => {
      const now = clock.monotonic()
      total.blocks++
      total.transactions += transactions
      forget(now)
      const newest = slots.at(-1)
      const slot = newest && now - newest.at < SLOT_MS ? newest : { at: now, blocks: 0, transactions: 0 }
      if (slot !== newest) slots.push(slot)
      slot.blocks++
      slot.transactions += transactions
    },
    rates: () => {
      const now = clock.monotonic()
      forget(now)
      const seconds = Math.max(Math.min(now - startedAt, WINDOW_MS), 1) / 1000
      const sum = slots.reduce(
        (a, b) => ({ at: 0, blocks: a.blocks + b.blocks, transactions: a.transactions + b.transactions }),
        {
          at: 0,
          blocks: 0,
          transactions: 0,
        },
      )
      return { blocks: sum.blocks / seconds, transactions: sum.transactions / seconds }
    },
  }
}

const amount = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)))

const span = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(1)} h`
  return `${(seconds / 86_400).toFixed(1)} days`
}

/** Seconds until `left` masterchain blocks are done while the chain grows meanwhile; undefined when never. */
export const secondsLeft = (left: number, blocksPerSecond: number, chainPerSecond: number): number | undefined => {
  const gain = blocksPerSecond - chainPerSecond
  if (left <= 0) return 0
  return gain > 0 ? left / gain : undefined
}

/** One line for the terminal: `120 of 360, 53 blocks/s, 410 transactions/s, 5 s left`. */
export const progressText = (
  seqno: number,
  head: number,
  { blocks, transactions }: Rates,
  eta: number | undefined,
): string =>
  `${seqno} of ${head}, ${amount(blocks)} blocks/s, ${amount(transactions)} transactions/s, ${eta === undefined ? 'falling behind' : `${span(eta)} left`}`
