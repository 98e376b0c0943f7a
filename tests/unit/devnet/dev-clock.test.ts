import { describe, expect, test } from 'bun:test'
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { createDevClock } from '../../../src/devnet/dev-clock.ts'

const T = 1_900_000_000

describe('a clock that follows the machine', () => {
  test('is the machine, and what it was advanced', () => {
    let unix = T * 1000 + 999
    const clock = createDevClock({ last: T - 5, start: undefined, blockMs: 400, unixMs: () => unix })
    expect([clock.real, clock.now()]).toEqual([true, T])
    clock.advance(3600)
    expect(clock.now()).toBe(T + 3600)
    clock.made(T + 3600)
    unix += 1
    expect(clock.now()).toBe(T + 3601)
    clock.set(T + 10_000)
    expect(clock.now()).toBe(T + 10_000)
    expect(() => clock.set(T + 9_999)).toThrow('cannot go back')
  })

  test('goes on from a chain that is ahead of the machine', () => {
    let unix = T * 1000
    const clock = createDevClock({ last: T + 100, start: undefined, blockMs: 400, unixMs: () => unix })
    expect(clock.now()).toBe(T + 100)
    unix += 2000
    expect(clock.now()).toBe(T + 102)
  })

  test('does not follow a machine whose clock is set back', () => {
    let unix = T * 1000
    const clock = createDevClock({ last: T - 9, start: undefined, blockMs: 400, unixMs: () => unix })
    expect(clock.now()).toBe(T)
    unix -= 60_000
    expect(clock.now()).toBe(T)
  })
})

describe('a clock of its own', () => {
  test('moves on with blocks only', () => {
    const clock = createDevClock({ last: 7, start: T, blockMs: 400, unixMs: () => 0 })
    const times = Array.from({ length: 6 }, () => {
      const utime = clock.now()
      clock.made(utime)
      return utime - T
    })
    expect(clock.real).toBe(false)
    expect(times).toEqual([0, 0, 0, 1, 1, 2])
  })

  test('goes on from a later chain', () => {
    expect(createDevClock({ last: T + 5, start: T, blockMs: 1000, unixMs: () => 0 }).now()).toBe(T + 5)
  })
})

test('no clock goes back, and none goes beyond what a block can say', () => {
  const step = tuple(constantFrom('advance', 'set', 'made', 'machine'), integer({ min: 0, max: 2 ** 31 }))
  assert(
    property(constantFrom(undefined, T), array(step, { maxLength: 20 }), (start, steps) => {
      let unix = T * 1000
      const clock = createDevClock({ last: T, start, blockMs: 700, unixMs: () => unix })
      let before = clock.now()
      for (const [what, by] of steps) {
        try {
          if (what === 'advance') clock.advance(by)
          else if (what === 'set') clock.set(before - 1_000_000 + by)
          else if (what === 'made') clock.made(clock.now())
          else unix += by * 1000 - 2 ** 40
        } catch {
          expect(clock.now()).toBe(before)
        }
        expect(clock.now()).toBeGreaterThanOrEqual(before)
        expect(clock.now()).toBeLessThan(2 ** 31)
        before = clock.now()
      }
    }),
  )
})
