import { expect, test } from 'bun:test'
import { watchEventLoop } from '../../../src/common/event-loop-delay.ts'

const BLOCKED_MS = 120

test('what blocks the loop is seen once, by the next who asks', async () => {
  const watch = watchEventLoop()
  await Bun.sleep(60)
  Bun.sleepSync(BLOCKED_MS)
  await Bun.sleep(60)
  const { median, p99, max } = watch.take()
  expect(max).toBeGreaterThan((BLOCKED_MS - 40) / 1000)
  expect(p99).toBeLessThanOrEqual(max)
  expect(median).toBeLessThanOrEqual(p99)
  watch.stop()
  watch.take()
  expect(watch.take()).toEqual({ median: 0, p99: 0, max: 0 })
})
