import { seededRandom } from '../../src/common/seeded-random.ts'
import type { ShiftedClock } from './clock-shift.ts'
import type { ScheduledFault } from './faults.ts'
import type { FaultyServer } from './faulty-server.ts'
import type { Served } from './served.ts'
import type { SmallDisk } from './small-disk.ts'

/** What faults strike. */
export interface Targets {
  servers: readonly FaultyServer[]
  served: Served
  disk: SmallDisk | undefined
  clock: ShiftedClock | undefined
  /** Moves the chain's clock on by so many seconds. */
  advanceChain(seconds: number): Promise<void>
}

const HOUR_S = 3_600
const MOST_HOURS = 48
/** A short jump of the chain: it never goes back, and all of them add up. */
const MOST_CHAIN_S = 90

const missing = (fault: string): never => {
  throw new Error(`${fault} cannot be made here`)
}

/** Makes a fault and gives what ends it. */
export const inject = async (
  { servers, served, disk, clock, advanceChain }: Targets,
  { fault, servers: struck, seed }: ScheduledFault,
): Promise<() => Promise<void>> => {
  const random = seededRandom(seed)
  const hours = (): number => Math.ceil(random() * MOST_HOURS) * HOUR_S
  const shifted = (seconds: number): (() => Promise<void>) => {
    const { shift } = clock ?? missing(fault)
    shift(seconds)
    return async () => shift(0)
  }
  switch (fault) {
    case 'clock ahead':
      return shifted(hours())
    case 'clock back':
      return shifted(-hours())
    case 'disk full': {
      const free = (disk ?? missing(fault)).fill()
      return async () => free()
    }
    case 'chain time':
      await advanceChain(1 + Math.floor(random() * MOST_CHAIN_S))
      return async () => {}
    case 'SIGKILL':
    case 'SIGTERM':
      await served.end(fault)
      return served.start
    default: {
      const ends = await Promise.all(struck.map((i) => servers[i]!.strike(fault, seed + i)))
      return async () => void (await Promise.all(ends.map((end) => end())))
    }
  }
}
