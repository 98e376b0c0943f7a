import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FAULTS } from './faults.ts'
import { drawSchedule, type ScheduleOptions } from './schedule.ts'

const options = (more: Partial<ScheduleOptions> = {}): ScheduleOptions => ({
  seed: 1,
  lengthMs: 1_800_000,
  servers: 3,
  calmMs: 8_000,
  without: new Set(),
  restartsWithin: 0.4,
  haste: 1,
  ...more,
})

describe('a schedule of faults', () => {
  test('is the same for the same seed, and another one for another', () => {
    expect(drawSchedule(options())).toEqual(drawSchedule(options()))
    expect(drawSchedule(options())).not.toEqual(drawSchedule(options({ seed: 2 })))
  })

  test('of half an hour has every fault several times', () => {
    const schedule = drawSchedule(options())
    for (const { name } of FAULTS) expect(schedule.filter(({ fault }) => fault === name).length).toBeGreaterThan(1)
  })

  test('leaves calm between faults and at the end, strikes known servers, and restarts only at its beginning', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 20_000, max: 3_600_000 }), (seed, lengthMs) => {
        const schedule = drawSchedule(options({ seed, lengthMs }))
        let end = 0
        for (const { atMs, lastsMs, servers, place, fault } of schedule) {
          expect(atMs).toBeGreaterThanOrEqual(end + 8_000)
          end = atMs + lastsMs
          if (place === 'servers') expect(servers.length).toBeGreaterThan(0)
          expect(servers.every((server) => server >= 0 && server < 3)).toBe(true)
          if (fault === 'SIGKILL' || fault === 'SIGTERM') expect(atMs).toBeLessThanOrEqual(0.4 * lengthMs)
        }
        expect(end + 8_000).toBeLessThanOrEqual(Math.max(lengthMs, 8_000))
      }),
    )
  })

  test('makes only what is wanted and can be made', () => {
    const schedule = drawSchedule(options({ only: ['cut', 'silence'], without: new Set(['silence']) }))
    expect(new Set(schedule.map(({ fault }) => fault))).toEqual(new Set(['cut']))
    expect(drawSchedule(options({ only: ['SIGKILL'] })).length).toBeGreaterThan(10)
    expect(drawSchedule(options({ only: [] }))).toEqual([])
  })
})
