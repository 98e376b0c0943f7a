import { expect, test } from 'bun:test'
import type { FirstFunctions, HttpOrder, WorkerReport } from '../../../src/cli/http-worker-messages.ts'
import { createHttpWorkers, type HttpWorkers } from '../../../src/cli/http-workers.ts'
import { createProcessCalls, type ProcessFunctions, type ProcessMessage } from '../../../src/cli/process-calls.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { createVirtualClock, settled } from '../../support/virtual-clock.ts'

/** A process that is none: what it was told, and how it ends. */
interface Fake {
  place: number
  end(how: string): void
  killed: boolean
  told: unknown[]
}

const series = (count: number) => ({
  labels: 'route="/x"',
  buckets: Array.from({ length: 13 }, () => 0),
  sum: 0,
  count,
})
const reportOf = (count: number): WorkerReport => ({
  readiness: { ready: true },
  status: {},
  metrics: [],
  requests: [series(count)],
})

/** Processes that answer at once, unless `fails` says that they cannot start, where the system has room for them; each counts as many requests as its place is. */
const fakes = (
  count: number,
  fails: (start: number) => boolean = () => false,
  hasRoom: (spawn: number) => boolean = () => true,
) => {
  const clock = createVirtualClock()
  const all: Fake[] = []
  let starts = 0
  let spawns = 0
  const workers = createHttpWorkers({
    count,
    clock,
    logger: silentLogger,
    functions: () => ({}) as FirstFunctions,
    spawn: (message, ended) => {
      if (!hasRoom(spawns++)) throw new Error('EMFILE: too many open files, socketpair')
      const fake: Fake = { place: 0, killed: false, told: [], end: ended }
      const fail = fails(starts++)
      const functions: ProcessFunctions = {
        start: async ({ place }: HttpOrder) => {
          fake.place = place
          if (fail) throw new Error('no')
        },
        report: async () => reportOf(fake.place),
        lasting: async () => reportOf(fake.place),
        sent: async (boc: unknown) => void fake.told.push(boc),
        stop: async () => queueMicrotask(() => ended('exit code 0')),
      }
      const calls = createProcessCalls(functions, (answer) => queueMicrotask(() => message(answer)))
      all.push(fake)
      return {
        pid: all.length,
        post: (sent: ProcessMessage) => queueMicrotask(() => calls.heed(sent)),
        kill: () => {
          fake.killed = true
          queueMicrotask(() => ended('signal SIGKILL'))
        },
      }
    },
  })
  const start = () => workers.start(() => ({}) as Omit<HttpOrder, 'place'>)
  return { workers, clock, all, start }
}

const states = (workers: HttpWorkers) => workers.states().map(({ place, state, restarts }) => [place, state, restarts])
const requests = (workers: HttpWorkers): number =>
  workers
    .counted()
    .requests.flat()
    .reduce((sum, { count }) => sum + count, 0)

test('each has a place, is asked, and ends when it is told to', async () => {
  const { workers, all, start } = fakes(2)
  await start()
  expect(states(workers)).toEqual([
    [2, 'on', 0],
    [3, 'on', 0],
  ])
  expect((await workers.reports()).map(({ place, report }) => [place, report?.requests[0]?.count])).toEqual([
    [2, 2],
    [3, 3],
  ])
  await workers.askAll('sent', [Buffer.from('x')], 1_000, 2)
  expect(all.map(({ told }) => told.length)).toEqual([0, 1])
  await workers.stop()
  expect(all.map(({ killed }) => killed)).toEqual([false, false])
  expect(states(workers)).toEqual([
    [2, 'waiting', 0],
    [3, 'waiting', 0],
  ])
})

test('one that ends is started anew after ever longer pauses, and what it counted stays', async () => {
  const { workers, clock, all, start } = fakes(1)
  await start()
  await workers.reports()
  expect(requests(workers)).toBe(2)
  for (const [i, pause] of [1_000, 2_000, 4_000].entries()) {
    all.at(-1)!.end('signal SIGKILL')
    await settled()
    expect(states(workers)).toEqual([[2, 'waiting', i + 1]])
    await clock.advance(pause - 1)
    expect(all.length).toBe(i + 1)
    await clock.advance(1)
    await settled()
    expect(states(workers)).toEqual([[2, 'on', i + 1]])
    await workers.reports()
    expect(requests(workers)).toBe(2 * (i + 2))
  }
  await workers.stop()
})

test('one that ran for long is started anew soon', async () => {
  const { workers, clock, all, start } = fakes(1)
  await start()
  all[0]!.end('exit code 1')
  await clock.advance(1_000)
  await clock.advance(61_000)
  all[1]!.end('exit code 1')
  await clock.advance(1_000)
  await settled()
  expect(states(workers)).toEqual([[2, 'on', 2]])
  await workers.stop()
})

test('one that cannot start keeps nobody waiting, and is tried again', async () => {
  const { workers, clock, all, start } = fakes(2, (n) => n === 0)
  await start()
  await settled()
  expect(states(workers)).toEqual([
    [2, 'waiting', 1],
    [3, 'on', 0],
  ])
  expect(all[0]!.killed).toBeTrue()
  await clock.advance(1_000)
  await settled()
  expect(states(workers)).toEqual([
    [2, 'on', 1],
    [3, 'on', 0],
  ])
  await workers.stop()
})

test('where the system has no room for a process, it is tried again after ever longer pauses', async () => {
  const { workers, clock, all, start } = fakes(1, undefined, (spawn) => spawn >= 2)
  await start()
  expect(states(workers)).toEqual([[2, 'waiting', 1]])
  await clock.advance(1_000)
  expect(states(workers)).toEqual([[2, 'waiting', 2]])
  await clock.advance(1_999)
  expect(all.length).toBe(0)
  await clock.advance(1)
  expect(states(workers)).toEqual([[2, 'on', 2]])
  await workers.stop()
})
