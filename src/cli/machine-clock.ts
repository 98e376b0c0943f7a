import { readFileSync } from 'node:fs'
import type { Clock } from '../common/clock.ts'

const UPTIME = '/proc/uptime'
const MS_PER_SECOND = 1_000
/** It steps every 10 ms. */
const LOOK_MS = 25
/** A look at it can take long on a busy machine: it is one of so many. */
const LOOKS = 100

const uptime = (): number => Number(readFileSync(UPTIME, 'latin1').split(' ', 1)[0]) * MS_PER_SECOND

/**
 * Gives milliseconds since the machine started, as Linux counts them: the same in all of its processes, and never set.
 * Bun's own clocks start with the process, or are the time of day. Takes some time to make.
 * @throws where it cannot be read
 */
export const machineClock = ({ monotonic }: Pick<Clock, 'monotonic'>): (() => number) => {
  const end = monotonic() + LOOK_MS
  // Rounded down, and by now some time ago: what was read tells too little, the best look the least so.
  let offset = Number.NEGATIVE_INFINITY
  for (let i = 0; i < LOOKS || monotonic() < end; i++) offset = Math.max(offset, uptime() - monotonic())
  return () => monotonic() + offset
}
