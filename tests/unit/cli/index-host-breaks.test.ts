import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { startIndexHost } from '../../../src/cli/index-host.ts'
import type { IndexOrder } from '../../../src/cli/index-messages.ts'
import { indexReadiness, indexStatus } from '../../../src/cli/index-report.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const ENTRY = new URL('../../support/breaking-worker.ts', import.meta.url).href
const TIMES = 4
const LONGEST_PAUSE_MS = 60_000

/** Real Workers break here; what each way leaves to be told. */
const WAYS: [string, RegExp][] = [
  ['a mistake in a message handler', /it broke/],
  ['a mistake in a timer', /it broke/],
  ['a rejection that nobody handles', /it broke/],
  ['an exit', /^its Worker ended$/],
  ['a stack without end', /stack/i],
  ['more memory than a buffer can have', /memory|length/i],
  ['more memory than WebAssembly can have', /memory/i],
]

const threads = (): number => readdirSync('/proc/self/task').length

/** Looks again until it is so. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(2)
}

test.each(WAYS)('a Worker that breaks by %s is started again, and leaves nothing behind', async (way, told) => {
  const clock = createVirtualClock()
  let held = 0
  let spawned = 0
  const host = startIndexHost({
    spawn: {
      index: () => {
        spawned++
        return new Worker(ENTRY)
      },
      reader: () => new Worker(ENTRY),
    },
    claim: () => {
      held++
      return { release: () => held-- }
    },
    order: { folder: way, servers: { liteservers: [] } } as unknown as IndexOrder,
    clock,
    logger: silentLogger,
  })
  const before = threads()
  for (let times = 1; times <= TIMES; times++) {
    await until(() => host.report().restarts === times)
    expect(host.report().down).toMatch(told)
    expect(indexReadiness(host.report()).ready).toBeFalse()
    expect(indexStatus(host.report())).toMatchObject({ state: 'down', restarts: times })
    expect(held).toBe(1)
    expect(spawned).toBe(times)
    if (times < TIMES) await clock.advance(LONGEST_PAUSE_MS)
  }
  await host.stop()
  expect(held).toBe(0)
  await until(() => threads() <= before + 1)
})
