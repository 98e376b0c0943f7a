import { describe, expect, test } from 'bun:test'
import {
  ALL_PER_SECOND,
  createSignInLimit,
  MAX_ATTEMPTS,
  REMEMBERED_MS,
} from '../../../../src/api/dashboard/sign-in-limit.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const times = (count: number, run: () => number): number[] => Array.from({ length: count }, run)

describe('attempts to sign in', () => {
  test('of one address are bounded, and it may try again when they are forgotten', async () => {
    const clock = createVirtualClock()
    const limit = createSignInLimit(clock)
    const attempt = (): number => limit.begin('192.0.2.1')
    expect(times(MAX_ATTEMPTS, attempt)).toEqual(times(MAX_ATTEMPTS, () => 0))
    expect(attempt()).toBe(REMEMBERED_MS / 1000)
    await clock.advance(REMEMBERED_MS - 1_500)
    expect(attempt()).toBe(2)
    await clock.advance(1_500)
    expect(attempt()).toBe(0)
  })

  test('of an IPv6 network count together', () => {
    const limit = createSignInLimit(createVirtualClock())
    for (let n = 0; n < MAX_ATTEMPTS; n++) limit.begin(`2001:db8:0:1::${n}`)
    expect(limit.begin('2001:db8:0:1:ffff::1')).toBeGreaterThan(0)
    expect(limit.begin('2001:db8:0:2::1')).toBe(0)
  })

  test('that succeed are forgotten', () => {
    const limit = createSignInLimit(createVirtualClock())
    for (let n = 0; n < MAX_ATTEMPTS - 1; n++) limit.begin('192.0.2.1')
    limit.succeeded('192.0.2.1')
    expect(times(MAX_ATTEMPTS, () => limit.begin('192.0.2.1')).at(-1)).toBe(0)
  })

  test('of all addresses together are bounded', async () => {
    const clock = createVirtualClock()
    const limit = createSignInLimit(clock)
    for (let n = 0; n < ALL_PER_SECOND; n++) expect(limit.begin(`192.0.2.${n}`)).toBe(0)
    expect(limit.begin('198.51.100.1')).toBe(1)
    await clock.advance(1_000)
    expect(limit.begin('198.51.100.1')).toBe(0)
  })
})
