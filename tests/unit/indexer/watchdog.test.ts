import { expect, test } from 'bun:test'
import { runWatchdog } from '../../../src/indexer/watchdog.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

test('cures what stands still, ever more seldom, and only while there is work', async () => {
  const clock = createVirtualClock()
  const end = new AbortController()
  const cures: number[] = []
  let mark = 0
  let idle = false
  const done = runWatchdog({
    mark: () => String(mark),
    idle: () => idle,
    stallMs: 30_000,
    cure: () => cures.push(clock.monotonic() / 1000),
    clock,
    signal: end.signal,
  })
  for (let second = 0; second < 120; second += 15) {
    mark++
    await clock.advance(15_000)
  }
  expect(cures).toEqual([])
  await clock.advance(300_000)
  expect(cures.length).toBeGreaterThanOrEqual(2)
  expect(cures[0]).toBeLessThanOrEqual(160)
  expect(cures[1]! - cures[0]!).toBeGreaterThanOrEqual(60)
  cures.length = 0
  idle = true
  await clock.advance(3_600_000)
  expect(cures).toEqual([])
  end.abort()
  await done
})
