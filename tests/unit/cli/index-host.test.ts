import { describe, expect, test } from 'bun:test'
import { startIndexHost } from '../../../src/cli/index-host.ts'
import type {
  FromIndexWorker,
  IndexOrder,
  IndexWorker,
  ReaderStart,
  ReaderWorker,
  ToIndexWorker,
} from '../../../src/cli/index-messages.ts'
import { indexReadiness, indexStatus } from '../../../src/cli/index-report.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { type Logger, silentLogger } from '../../../src/common/logger.ts'
import { noDetectionCounts } from '../../../src/indexer/detection-counts.ts'
import type { IndexStatus } from '../../../src/indexer/status.ts'
import type { WriterClaim } from '../../../src/store/single-writer.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const STATUS: IndexStatus = {
  state: 'following',
  reason: null,
  seqno: 10,
  utime: 1,
  head: 10,
  accounts: null,
  histories: null,
  ranges: [{ first: 1, last: 10 }],
  gaps: [],
  blocks_per_second: 1.234,
  transactions_per_second: 0,
  seconds_left: 0,
  blocks: 10,
  transactions: 100,
  cures: 0,
  detection: noDetectionCounts(),
  actions_from: null,
  action_faults: {},
  disk: null,
}

const ORDER = {
  folder: '/srv/data/index',
  servers: { liteservers: [{ host: '10.0.0.1', port: 4000 }] },
} as IndexOrder

/** A Worker that a test speaks for. */
const createFakeWorker = () => {
  const heard: ToIndexWorker[] = []
  const listeners = new Map<string, (event: never) => void>()
  const tell = (type: string, event: unknown): void => listeners.get(type)?.(event as never)
  const worker: IndexWorker = {
    postMessage: (message) => void heard.push(message),
    terminate: () => {},
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
  }
  return {
    worker,
    heard,
    say: (data: FromIndexWorker) => tell('message', { data }),
    breakDown: (message = 'out of memory') => tell('error', { message }),
    close: () => tell('close', {}),
  }
}

/** A Worker that reads blocks, which a test ends. */
const createFakeReader = () => {
  const heard: ReaderStart[] = []
  const listeners: ((event: never) => void)[] = []
  let isRunning = true
  const worker: ReaderWorker = {
    postMessage: (message) => void heard.push(message),
    terminate: () => {
      isRunning = false
    },
    addEventListener: (_: string, listener: (event: never) => void) => void listeners.push(listener),
  }
  const breakDown = (): void => {
    for (const ended of listeners) ended({ message: 'out of memory' } as never)
  }
  return { worker, heard, breakDown, isRunning: () => isRunning }
}

const setup = (claim: () => WriterClaim = () => ({ release: () => {} }), logger: Logger = silentLogger) => {
  const clock = createVirtualClock()
  const workers: ReturnType<typeof createFakeWorker>[] = []
  const index = (): IndexWorker => {
    const fake = createFakeWorker()
    workers.push(fake)
    return fake.worker
  }
  const readers: ReturnType<typeof createFakeReader>[] = []
  const reader = (): ReaderWorker => {
    const fake = createFakeReader()
    readers.push(fake)
    return fake.worker
  }
  const spawn = { index, reader }
  const host = startIndexHost({ spawn, claim, order: ORDER, clock, logger })
  return { clock, workers, readers, host }
}

describe('the Worker of the index', () => {
  test('is told to start, and its state is that of the index', () => {
    const { workers, host } = setup()
    expect(workers[0]!.heard).toEqual([{ start: ORDER }])
    expect(indexReadiness(host.report())).toEqual({ ready: false, reason: 'the index is starting' })
    workers[0]!.say({ status: { ...STATUS, state: 'catching_up', seqno: 3 } })
    expect(indexReadiness(host.report()).reason).toBe('the index is catching up: at masterchain block 3 of 10')
    workers[0]!.say({ status: { ...STATUS, state: 'paused', reason: 'the disk is full' } })
    expect(indexReadiness(host.report()).reason).toBe('the index pauses: the disk is full')
    workers[0]!.say({ status: STATUS })
    expect(indexReadiness(host.report())).toEqual({ ready: true })
    expect(indexStatus(host.report())).toMatchObject({
      state: 'following',
      lag: 0,
      blocks_per_second: 1.2,
      restarts: 0,
    })
  })

  test('its progress is told once there is a rate: no alarm at each start', async () => {
    const lines: string[] = []
    const logger: Logger = { ...silentLogger, info: (_, line) => lines.push(line) }
    const { clock, workers } = setup(undefined, logger)
    const behind = { ...STATUS, state: 'catching_up', seqno: 9, blocks_per_second: 0, seconds_left: null } as const
    workers[0]!.say({ status: behind })
    await clock.advance(1_000)
    workers[0]!.say({ status: behind })
    workers[0]!.say({ status: STATUS })
    expect(lines.splice(0)).toEqual(['the index has caught up'])
    await clock.advance(60_000)
    workers[0]!.say({ status: behind })
    expect(lines).toEqual([])
    await clock.advance(5_000)
    workers[0]!.say({ status: { ...behind, blocks_per_second: 2, seconds_left: 1 } })
    workers[0]!.say({ status: behind })
    expect(lines.splice(0)).toEqual(['indexing: 9 of 10, 2.0 blocks/s, 0.0 transactions/s, 1 s left'])
    await clock.advance(5_000)
    workers[0]!.breakDown('it broke')
    await clock.advance(60_000)
    workers[1]!.say({ status: behind })
    expect(lines).toEqual([])
  })

  test('what it waits for is told without the paths of the machine and the addresses of liteservers', () => {
    const { workers, host } = setup()
    const text = '/srv/data/index is full, 10.0.0.1:4000 is gone'
    const waiting = { account: `0:${'1'.repeat(64)}`, state: 'waiting', oldest_lt: '0' } as const
    const accounts = [
      { ...waiting, waits: text },
      { ...waiting, waits: null },
    ]
    workers[0]!.say({ status: { ...STATUS, reason: text, histories: { done: 0, left: 2, accounts } } })
    const { reason, histories } = host.report().status!
    const told = 'its folder is full, 0 is gone'
    expect([reason, ...histories!.accounts.map(({ waits }) => waits)]).toEqual([told, told, null])
  })

  test('what broke it is told in one line', () => {
    const { workers, host } = setup()
    workers[0]!.breakDown('12 | const x = y\n\nTypeError: y is no function\n  at z (/$bunfs/root/a.js:1:2)')
    expect(host.report().down).toBe('TypeError: y is no function')
  })

  test('wakes who listens at each word', () => {
    const { workers, host } = setup()
    let wakes = 0
    const forget = host.onChange(() => wakes++)
    workers[0]!.say({ status: STATUS })
    workers[0]!.say({ status: STATUS })
    forget()
    workers[0]!.say({ status: STATUS })
    expect(wakes).toBe(2)
  })

  test('has a Worker that reads blocks as long as it wants one, and is told when that breaks', async () => {
    const { workers, readers, host } = setup()
    const { port1, port2 } = new MessageChannel()
    workers[0]!.say({ reader: port1 })
    expect(readers[0]!.heard).toEqual([{ order: ORDER, port: port1 }])
    workers[0]!.say({ reader: null })
    expect(readers[0]!.isRunning()).toBeFalse()
    readers[0]!.breakDown()
    expect(workers[0]!.heard).toEqual([{ start: ORDER }])
    workers[0]!.say({ reader: port2 })
    readers[1]!.breakDown()
    expect(readers[1]!.isRunning()).toBeFalse()
    expect(workers[0]!.heard).toEqual([{ start: ORDER }, { readerEnded: true }])
    expect(host.report().restarts).toBe(0)
    workers[0]!.say({ reader: port2 })
    workers[0]!.breakDown()
    expect(readers[2]!.isRunning()).toBeFalse()
  })

  test('is started again when it breaks, after ever longer pauses, and that is told', async () => {
    const { clock, workers, host } = setup()
    workers[0]!.breakDown()
    workers[0]!.close()
    expect(host.report()).toMatchObject({ down: 'out of memory', restarts: 1 })
    expect(indexReadiness(host.report()).reason).toBe('the index does not run: out of memory')
    await clock.advance(1_000)
    expect(workers).toHaveLength(2)
    workers[1]!.say({ failed: 'liteserver 10.0.0.1:4000 is gone' })
    expect(host.report().down).toBe('liteserver 0 is gone')
    await clock.advance(1_000)
    expect(workers).toHaveLength(2)
    await clock.advance(1_000)
    expect(workers).toHaveLength(3)
    for (let i = 2; i < 20; i++) {
      workers.at(-1)!.say({ failed: 'the disk is gone' })
      await clock.advance(60_000)
    }
    expect(workers).toHaveLength(21)
    workers.at(-1)!.say({ status: STATUS })
    expect(host.report()).toMatchObject({ down: undefined, restarts: 20 })
    expect(indexReadiness(host.report()).ready).toBe(true)
  })

  test('one that ran well for long begins with the first pause again, however it ends', async () => {
    const { clock, workers } = setup()
    for (let i = 0; i < 6; i++) {
      workers.at(-1)!.say({ failed: 'the disk is gone' })
      await clock.advance(60_000)
    }
    await clock.advance(120_000)
    const before = workers.length
    workers.at(-1)!.say({ failed: 'the disk is gone' })
    await clock.advance(1_000)
    expect(workers).toHaveLength(before + 1)
  })

  test('does not start while another process writes, and gives the claim back at its end', async () => {
    let taken = true
    let held = 0
    const claim = (): WriterClaim => {
      if (taken) throw new TonlithError('conflict', 'another process keeps this index')
      held++
      return { release: () => held-- }
    }
    const { clock, workers, host } = setup(claim)
    const reason = 'the index does not run: another process keeps this index'
    expect(indexReadiness(host.report())).toEqual({ ready: false, reason })
    await clock.advance(60_000)
    expect(workers).toHaveLength(0)
    expect(host.report()).toMatchObject({ down: 'another process keeps this index', restarts: 0 })
    taken = false
    await clock.advance(5_000)
    expect(workers).toHaveLength(1)
    expect(host.report().down).toBeUndefined()
    expect(held).toBe(1)
    const stopped = host.stop()
    workers[0]!.say({ stopped: true })
    await stopped
    expect(held).toBe(0)
  })

  test('a word of one that is gone does not count', async () => {
    const { clock, workers, host } = setup()
    workers[0]!.breakDown()
    await clock.advance(1_000)
    workers[0]!.say({ status: STATUS })
    expect(host.report().status).toBeUndefined()
  })

  test('one that cannot keep this index is not started again', async () => {
    const { clock, workers, host } = setup()
    workers[0]!.say({ refused: '/srv/data/index is damaged' })
    await clock.advance(600_000)
    expect(workers).toHaveLength(1)
    expect(indexStatus(host.report())).toMatchObject({ state: 'down', reason: 'its folder is damaged' })
  })

  test('ends when it has ended its work', async () => {
    const { workers, host } = setup()
    let ended = false
    const stopping = host.stop().then(() => {
      ended = true
    })
    expect(workers[0]!.heard.at(-1)).toEqual({ stop: true })
    await Promise.resolve()
    expect(ended).toBe(false)
    workers[0]!.say({ stopped: true })
    await stopping
    expect(ended).toBe(true)
  })
})

test('where nothing can be written no Worker runs, and what is there can be read, until something can', async () => {
  let writable = false
  const { workers, host, clock } = setup(() => {
    if (!writable) throw new TonlithError('unavailable', 'no right to write in /srv/data/index')
    return { release: () => {} }
  })
  expect(workers.length).toBe(0)
  expect(host.report()).toMatchObject({ down: 'no right to write in its folder', readOnly: true })
  writable = true
  await clock.advance(5_000)
  expect(workers.length).toBe(1)
  expect(host.report()).toMatchObject({ down: undefined, readOnly: false })
})

test('damage is told for good, and without the path', () => {
  const { workers, host } = setup()
  workers[0]!.say({ status: STATUS })
  host.noteDamage('/srv/data/index is damaged: a row is cut short')
  workers[0]!.say({ status: STATUS })
  const reason = 'the index cannot be read: its folder is damaged: a row is cut short'
  expect(indexReadiness(host.report())).toEqual({ ready: false, reason })
  expect(indexStatus(host.report())).toMatchObject({ reason: 'its folder is damaged: a row is cut short' })
})
