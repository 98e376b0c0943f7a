import { afterEach, describe, expect, test } from 'bun:test'
import type { TonlithError } from '../../../src/common/errors.ts'
import type { EmulatorAnswer } from '../../../src/tvm/emulator-answer.ts'
import { KEPT_CONFIGS, type TvmJob, type TvmReply, type WorkerStart } from '../../../src/tvm/messages.ts'
import {
  createTvmPool,
  type OwnTvmPool,
  type TvmPoolOptions,
  type TvmTask,
  type TvmWorker,
} from '../../../src/tvm/pool.ts'
import { until } from '../../support/until.ts'

const ANSWER: EmulatorAnswer = { success: true, stack: '', gas_used: '1', vm_exit_code: 0, missing_library: null }

/** A Worker whose side of the talk is played by the test. */
class ScriptedWorker implements TvmWorker {
  readonly starts: WorkerStart[] = []
  readonly jobs: TvmJob[] = []
  terminated = false
  private readonly listeners = new Map<string, (event: never) => void>()

  postMessage(message: WorkerStart | string): void {
    if (typeof message === 'string') this.jobs.push(JSON.parse(message))
    else this.starts.push(message)
  }

  terminate(): void {
    this.terminated = true
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.set(type, listener)
  }

  private emit(type: string, event: object): void {
    this.listeners.get(type)?.(event as never)
  }

  say(data: TvmReply): void {
    this.emit('message', { data: JSON.stringify(data) })
  }

  fail(message: string): void {
    this.emit('error', { message })
  }

  close(): void {
    this.emit('close', {})
  }
}

let pool: OwnTvmPool | undefined
afterEach(() => pool?.stop())

const start = (options: Partial<TvmPoolOptions> = {}): { pool: OwnTvmPool; workers: ScriptedWorker[] } => {
  const workers: ScriptedWorker[] = []
  const spawn = (): TvmWorker => {
    const worker = new ScriptedWorker()
    workers.push(worker)
    return worker
  }
  const made = createTvmPool({ spawn, size: 2, runMs: 1_000, maxWaiting: 10, idleMs: 60_000, ...options })
  pool = made
  return { pool: made, workers }
}

const task = (config = 'config', contract = 'contract', code = 'code'): TvmTask => ({
  method: { contract, method_id: 1, stack: '', now: 1, balance: '0', gas_limit: 1 },
  texts: () => ({ code, data: '', address: '', libraries: '', extra_currencies: '', prev_blocks: '' }),
  config: { key: config, boc: `boc of ${config}` },
})

/** How a run ends: its answer, or the kind of its error. */
const outcome = (run: Promise<EmulatorAnswer>): Promise<string> =>
  run.then(
    (answer) => String(answer.success),
    (error: TonlithError) => error.kind,
  )

test('what became of runs is counted', async () => {
  const { pool, workers } = start({ size: 1, maxWaiting: 1, runMs: 20 })
  const first = outcome(pool.run(task()))
  const refused = outcome(pool.run(task()))
  expect(await refused).toBe('unavailable')
  workers[0]!.say({ ready: true })
  workers[0]!.say({ answer: ANSWER })
  expect(await first).toBe('true')
  const late = outcome(pool.run(task()))
  expect(await late).toBe('timeout')
  const { runs, busy, waiting } = pool.figures()
  expect({ runs, busy, waiting }).toEqual({
    runs: { answered: 1, broken: 0, late: 1, refused: 1 },
    busy: 0,
    waiting: 0,
  })
})

describe('Workers', () => {
  test('are started when there is something to do, and as many as are needed', async () => {
    const { pool, workers } = start()
    expect(workers.length).toBe(0)
    const first = outcome(pool.run(task()))
    expect(workers.length).toBe(1)
    expect(workers[0]!.starts.length).toBe(1)
    expect(workers[0]!.jobs.length).toBe(0)
    workers[0]!.say({ ready: true })
    expect(workers[0]!.jobs.length).toBe(1)
    workers[0]!.say({ answer: ANSWER })
    expect(await first).toBe('true')
    const second = outcome(pool.run(task()))
    expect(workers.length).toBe(1)
    const third = outcome(pool.run(task()))
    const fourth = outcome(pool.run(task()))
    expect(workers.length).toBe(2)
    workers[1]!.say({ ready: true })
    workers[0]!.say({ answer: ANSWER })
    for (const worker of workers) worker.say({ answer: ANSWER })
    expect(await Promise.all([second, third, fourth])).toEqual(['true', 'true', 'true'])
  })

  test('get a configuration once, and again when it was pushed out', async () => {
    const { pool, workers } = start({ size: 1 })
    const configs = [...Array(KEPT_CONFIGS).keys(), 0, KEPT_CONFIGS, 1, 0].map(String)
    const sent: boolean[] = []
    const worker = () => workers[0]!
    for (const [i, config] of configs.entries()) {
      const run = pool.run(task(config))
      if (i === 0) worker().say({ ready: true })
      sent.push(worker().jobs.at(-1)!.config.boc === `boc of ${config}`)
      worker().say({ answer: ANSWER })
      await run
    }
    expect(sent).toEqual([...Array(KEPT_CONFIGS).fill(true), false, true, true, false])
  })

  test('get a contract once, and again when it was pushed out; one that is too large every time', async () => {
    const { pool, workers } = start({ size: 1 })
    const third = 'c'.repeat(1_400_000)
    const sent: string[] = []
    for (const [i, contract] of ['a', 'b', 'a', 'c', 'b', 'huge', 'huge', 'b'].entries()) {
      const run = pool.run(task('config', contract, contract === 'huge' ? third.repeat(3) : third))
      if (i === 0) workers[0]!.say({ ready: true })
      const job = workers[0]!.jobs.at(-1)!
      if ('method' in job && job.texts) sent.push(contract)
      workers[0]!.say({ answer: ANSWER })
      await run
    }
    expect(sent).toEqual(['a', 'b', 'c', 'b', 'huge', 'huge'])
  })

  test('are ended when they have nothing to do for long, and others started for what comes', async () => {
    const { pool, workers } = start({ idleMs: 20 })
    const first = outcome(pool.run(task()))
    workers[0]!.say({ ready: true })
    await Bun.sleep(50)
    expect(workers[0]!.terminated).toBe(false)
    workers[0]!.say({ answer: ANSWER })
    expect(await first).toBe('true')
    await until(async () => workers[0]!.terminated || undefined, 'the end of the Worker')
    workers[0]!.close()
    expect(pool.figures().workers).toBe(0)
    const second = outcome(pool.run(task()))
    workers[1]!.say({ ready: true })
    workers[1]!.say({ answer: ANSWER })
    expect(await second).toBe('true')
    expect(workers[1]!.jobs[0]!.config.boc).toBe('boc of config')
  })
})

describe('a run', () => {
  test('that takes too long ends its Worker, not the next run', async () => {
    const { pool, workers } = start({ size: 1, runMs: 20 })
    const first = outcome(pool.run(task()))
    const second = outcome(pool.run(task()))
    workers[0]!.say({ ready: true })
    expect(await first).toBe('timeout')
    expect(workers[0]!.terminated).toBe(true)
    expect(workers.length).toBe(2)
    workers[1]!.say({ ready: true })
    expect(workers[1]!.jobs[0]!.config.boc).toBeDefined()
    workers[0]!.say({ answer: { success: false, error: 'late' } })
    workers[1]!.say({ answer: ANSWER })
    expect(await second).toBe('true')
  })

  test('that breaks the emulator leaves the Worker in use', async () => {
    const { pool, workers } = start({ size: 1 })
    const first = outcome(pool.run(task()))
    workers[0]!.say({ ready: true })
    workers[0]!.say({ broken: 'unreachable' })
    expect(await first).toBe('internal')
    const deep = outcome(pool.run(task()))
    workers[0]!.say({ broken: 'RangeError: Maximum call stack size exceeded.' })
    expect(await deep).toBe('unsupported')
    const second = outcome(pool.run(task()))
    workers[0]!.say({ answer: ANSWER })
    expect(await second).toBe('true')
    expect(workers.length).toBe(1)
  })

  test('whose Worker ends is lost, and nothing else', async () => {
    for (const lose of [
      (worker: ScriptedWorker) => worker.fail('out of memory'),
      (worker: ScriptedWorker) => worker.close(),
    ]) {
      const { pool, workers } = start({ size: 1 })
      const [first, second] = [outcome(pool.run(task())), outcome(pool.run(task()))]
      workers[0]!.say({ ready: true })
      lose(workers[0]!)
      expect(await first).toBe('internal')
      workers[1]!.say({ ready: true })
      workers[1]!.say({ answer: ANSWER })
      expect(await second).toBe('true')
    }
  })

  test('that nobody waits for any more is not started', async () => {
    const { pool, workers } = start({ size: 1 })
    const abort = new AbortController()
    const [first, second] = [outcome(pool.run(task('a'))), outcome(pool.run(task('b'), abort.signal))]
    abort.abort()
    expect(await second).toBe('timeout')
    expect(await outcome(pool.run(task(), abort.signal))).toBe('timeout')
    workers[0]!.say({ ready: true })
    workers[0]!.say({ answer: ANSWER })
    expect(await first).toBe('true')
    expect(workers[0]!.jobs.map(({ config }) => config.key)).toEqual(['a'])
  })
})

describe('the pool', () => {
  test('refuses what is too much', async () => {
    const { pool, workers } = start({ size: 1, maxWaiting: 2 })
    const waiting = [outcome(pool.run(task())), outcome(pool.run(task()))]
    expect(await outcome(pool.run(task()))).toBe('unavailable')
    workers[0]!.say({ ready: true })
    workers[0]!.say({ answer: ANSWER })
    workers[0]!.say({ answer: ANSWER })
    expect(await Promise.all(waiting)).toEqual(['true', 'true'])
  })

  test('gives up what waits when no Worker starts, and tries again for what comes', async () => {
    const { pool, workers } = start()
    const waiting = [outcome(pool.run(task())), outcome(pool.run(task()))]
    expect(workers.length).toBe(2)
    workers[0]!.fail('no such file')
    expect(await Promise.all(waiting)).toEqual(['internal', 'internal'])
    expect(workers.length).toBe(2)
    workers[1]!.fail('no such file')
    const next = outcome(pool.run(task()))
    expect(workers.length).toBe(3)
    workers[2]!.say({ ready: true })
    workers[2]!.say({ answer: ANSWER })
    expect(await next).toBe('true')
  })

  test('ends all that runs and waits when it is stopped', async () => {
    const { pool, workers } = start({ size: 1 })
    const [first, second] = [outcome(pool.run(task())), outcome(pool.run(task()))]
    workers[0]!.say({ ready: true })
    pool.stop()
    expect(await Promise.all([first, second])).toEqual(['unavailable', 'unavailable'])
    expect(workers.map(({ terminated }) => terminated)).toEqual([true])
    expect(await outcome(pool.run(task()))).toBe('unavailable')
  })
})
