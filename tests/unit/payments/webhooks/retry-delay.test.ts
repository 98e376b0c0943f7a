import { expect, test } from 'bun:test'
import { DEFAULT_RETRY_DELAYS, longestDelay, retryDelay } from '../../../../src/payments/webhooks/retry-delay.ts'

test('the default is 1 s, 5 s and 15 s, exactly, then no more', () => {
  const delays = [1, 2, 3, 4, 5].map((failures) => retryDelay(DEFAULT_RETRY_DELAYS, failures, () => 0.99))
  expect(delays).toEqual([1_000, 5_000, 15_000, undefined, undefined])
  expect(retryDelay([1_000, 5_000, 15_000], 2, () => 0.99)).toBe(5_000)
})

test('another schedule is never shorter than told, and a tenth longer at most', () => {
  const delays = [1_000, 60_000, 3_600_000, 86_400_000]
  for (const [place, told] of delays.entries()) {
    expect(retryDelay(delays, place + 1, () => 0)).toBe(told)
    const longest = retryDelay(delays, place + 1, () => 0.999999)!
    expect(longest).toBeGreaterThan(told * 1.09)
    expect(longest).toBeLessThanOrEqual(told * 1.1)
  }
  expect(retryDelay(delays, 5, () => 0.5)).toBeUndefined()
  expect(retryDelay([], 1, () => 0.5)).toBeUndefined()
  expect(longestDelay(delays)).toBeGreaterThanOrEqual(95_040_000)
})
