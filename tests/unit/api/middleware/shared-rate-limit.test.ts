import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRateLimiter } from '../../../../src/api/middleware/rate-limit.ts'
import { createSharedRateLimiter } from '../../../../src/api/middleware/shared-rate-limit.ts'
import { emptyTable } from '../../../support/shared-memory.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const step = fc.record({
  pause: fc.nat(1_500),
  who: fc.constantFrom('a', 'b'),
  calls: fc.integer({ min: 1, max: 12 }),
  taken: fc.nat(1),
})

test('several processes together say what one limiter would say', async () => {
  const rates = fc.constantFrom(0, 0.5, 1, 3, 7, 10, 1_000)
  await fc.assert(
    fc.asyncProperty(rates, fc.array(step, { maxLength: 60 }), async (rps, steps) => {
      const clock = createVirtualClock()
      const one = createRateLimiter(clock)
      const table = emptyTable()
      const processes = Array.from({ length: 3 }, () => createSharedRateLimiter(table, clock.monotonic))
      for (const [i, { pause, who, calls, taken }] of steps.entries()) {
        await clock.advance(pause)
        const wanted = one(who, rps, calls, taken)
        const said = processes[i % 3]!(who, rps, calls, taken)
        // The two round times otherwise: by less than a microsecond.
        if (Number.isFinite(wanted)) expect(Math.abs(said - wanted)).toBeLessThan(1e-6)
        else expect(said).toBe(wanted)
      }
    }),
  )
})

test('a clock that is put back gives a new budget, and refuses nobody for long', () => {
  let now = 10_000_000
  const limit = createSharedRateLimiter(emptyTable(), () => now)
  expect([limit('a', 1), limit('a', 1) > 0]).toEqual([0, true])
  now -= 3_600_000
  expect([limit('a', 1), limit('a', 1) > 0]).toEqual([0, true])
  now += 1_000
  expect(limit('a', 1)).toBe(0)
})

test('processes whose clocks differ by some milliseconds have one budget all the same', () => {
  const table = emptyTable()
  let now = 10_000_000
  const early = createSharedRateLimiter(table, () => now)
  const late = createSharedRateLimiter(table, () => now - 7)
  for (let i = 0; i < 20; i++) expect(early('a', 20)).toBe(0)
  for (let i = 0; i < 20; i++) expect([early('a', 20), late('a', 20)]).not.toContain(0)
  now += 57
  expect([late('a', 20), late('a', 20) > 0]).toEqual([0, true])
})
