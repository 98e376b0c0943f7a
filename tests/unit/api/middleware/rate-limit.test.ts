import { describe, expect, test } from 'bun:test'
import { createRateLimiter } from '../../../../src/api/middleware/rate-limit.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

describe('a caller', () => {
  test('has one second’s worth of requests at once, and then what time gives', async () => {
    const clock = createVirtualClock()
    const limit = createRateLimiter(clock)
    expect(Array.from({ length: 11 }, () => limit('a', 10)).map((wait) => wait > 0)).toEqual([
      ...Array.from({ length: 10 }, () => false),
      true,
    ])
    await clock.advance(100)
    expect(limit('a', 10)).toBe(0)
    expect(limit('a', 10)).toBeCloseTo(0.1)
  })

  test('of 1 a second waits up to a second, told exactly', async () => {
    const clock = createVirtualClock()
    const limit = createRateLimiter(clock)
    expect(limit('a', 1)).toBe(0)
    await clock.advance(250)
    expect(limit('a', 1)).toBeCloseTo(0.75)
    await clock.advance(750)
    expect(limit('a', 1)).toBe(0)
  })

  test('of less than 1 a second still gets one', async () => {
    const clock = createVirtualClock()
    const limit = createRateLimiter(clock)
    expect(limit('a', 0.5)).toBe(0)
    await clock.advance(1999)
    expect(limit('a', 0.5)).toBeGreaterThan(0)
    await clock.advance(2)
    expect(limit('a', 0.5)).toBe(0)
  })

  test('that keeps asking in vain is not punished for it', async () => {
    const clock = createVirtualClock()
    const limit = createRateLimiter(clock)
    limit('a', 1)
    for (let i = 0; i < 9; i++) {
      await clock.advance(100)
      expect(limit('a', 1)).toBeGreaterThan(0)
    }
    await clock.advance(101)
    expect(limit('a', 1)).toBe(0)
  })

  test('that asks for several at once, the first of them counted before, is told when all can be had', async () => {
    const clock = createVirtualClock()
    const limit = createRateLimiter(clock)
    const batchOf = (calls: number): number => limit('a', 10) || limit('a', 10, calls, 1)
    expect(batchOf(10)).toBe(0)
    const wait = batchOf(4)
    expect(wait).toBeGreaterThan(0)
    await clock.advance(1000 * limit('a', 10, 4))
    expect(batchOf(4)).toBe(0)
    expect([batchOf(11), limit('a', 10, 12, 1)]).not.toContain(0)
    await clock.advance(1000)
    expect([batchOf(11), limit('a', 10, 10, 1)]).toEqual([Number.POSITIVE_INFINITY, 0])
  })

  test('is not counted for another, nor without a limit', () => {
    const limit = createRateLimiter(createVirtualClock())
    expect(limit('a', 1)).toBe(0)
    expect(limit('b', 1)).toBe(0)
    for (let i = 0; i < 1000; i++) expect(limit('c', 0)).toBe(0)
  })

  test('is forgotten when too many others came since', () => {
    const limit = createRateLimiter(createVirtualClock(), 100)
    limit('a', 1)
    for (let i = 0; i < 100; i++) limit(`other ${i}`, 1)
    expect(limit('a', 1)).toBe(0)
  })
})
