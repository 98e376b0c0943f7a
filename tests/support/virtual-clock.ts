import type { Clock } from '../../src/common/clock.ts'

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /** Moves on by `ms` milliseconds, waking who sleeps in order, and lets what they started run. */
  advance(ms: number): Promise<void>
  /** Jumps on, as while the machine is asleep: nobody wakes before it advances again. */
  skip(ms: number): void
  readonly sleepers: number
}

/** Lets promise callbacks run until none is left. */
export const settled = async (): Promise<void> => {
  for (let i = 0; i < 40; i++) await Promise.resolve()
}

export const createVirtualClock = (): VirtualClock => {
  let time = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => 1_700_000_000_000 + time,
    monotonic: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = {
          at: time + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake)
      }),
    advance: async (ms) => {
      const end = time + ms
      for (;;) {
        await settled()
        const next = [...sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        time = Math.max(time, next.at)
        next.wake()
      }
      time = end
      await settled()
    },
    skip: (ms) => {
      time += ms
    },
    get sleepers() {
      return sleepers.size
    },
  }
}
