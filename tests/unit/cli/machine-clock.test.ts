import { expect, test } from 'bun:test'
import { machineClock } from '../../../src/cli/machine-clock.ts'
import { systemClock } from '../../../src/common/clock.ts'

test.if(process.platform === 'linux')('two processes that started at different times see the same time', () => {
  const now = machineClock(systemClock)
  const later = machineClock({ monotonic: () => performance.now() - 5_000 })
  expect(Math.abs(now() - later())).toBeLessThan(5)
})
