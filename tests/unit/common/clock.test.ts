import { expect, test } from 'bun:test'
import { systemClock } from '../../../src/common/clock.ts'

test('sleeps at least as long as told', async () => {
  const start = systemClock.monotonic()
  await systemClock.sleep(20)
  expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(19)
})

test('an aborted sleep ends at once, before and during it', async () => {
  const start = systemClock.monotonic()
  await systemClock.sleep(60_000, AbortSignal.abort())
  const controller = new AbortController()
  const sleep = systemClock.sleep(60_000, controller.signal)
  controller.abort()
  await sleep
  expect(systemClock.monotonic() - start).toBeLessThan(1_000)
})

test('tells Unix time in milliseconds', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(100)
})
