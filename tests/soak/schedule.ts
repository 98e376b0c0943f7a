import { seededRandom } from '../../src/common/seeded-random.ts'
import { FAULTS, type FaultKind, type FaultName, type ScheduledFault } from './faults.ts'

export interface ScheduleOptions {
  seed: number
  lengthMs: number
  servers: number
  /** Calm after each fault: in its first 5 s all must be well again. */
  calmMs: number
  /** Faults that cannot be made here. */
  without: ReadonlySet<FaultName>
  /** Only these, where it is given. */
  only?: readonly FaultName[] | undefined
  /** Part of the length (0 to 1) after which the gateway lives on to the end, so that its memory can be told. */
  restartsWithin: number
  /** Divides how long faults last. */
  haste: number
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] => {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
  }
  return copy
}

/** One liteserver in three of five times, all but one, or all of them. */
const struck = (servers: number, random: () => number): number[] => {
  const all = shuffled(
    Array.from({ length: servers }, (_, i) => i),
    random,
  )
  const dice = random()
  const count = dice < 0.6 ? 1 : dice < 0.8 ? servers - 1 : servers
  return all.slice(0, Math.max(1, count)).sort()
}

/**
 * Draws faults from a seed until the length is used up: all kinds in a random order, then all again in another one. The
 * same options give the same schedule.
 */
export const drawSchedule = (options: ScheduleOptions): ScheduledFault[] => {
  const { seed, lengthMs, servers, calmMs, without, only, restartsWithin, haste } = options
  const random = seededRandom(seed)
  const kinds: readonly (FaultKind & { name: FaultName })[] = FAULTS.filter(
    ({ name }) => !without.has(name) && (only?.includes(name) ?? true),
  )
  const schedule: ScheduledFault[] = []
  if (kinds.length === 0) return schedule
  for (let atMs = calmMs; ; ) {
    for (const { name, place, lasts, restarts } of shuffled(kinds, random)) {
      const lastsMs = Math.round((lasts[0] + random() * (lasts[1] - lasts[0])) / haste)
      const one: ScheduledFault = {
        fault: name,
        place,
        atMs,
        lastsMs,
        servers: place === 'servers' ? struck(servers, random) : [],
        seed: Math.floor(random() * 2 ** 32),
      }
      if (restarts && atMs > restartsWithin * lengthMs) continue
      if (atMs + lastsMs + calmMs > lengthMs) return schedule
      schedule.push(one)
      atMs += lastsMs + calmMs
    }
    if (kinds.every(({ restarts }) => restarts) && atMs > restartsWithin * lengthMs) return schedule
  }
}
