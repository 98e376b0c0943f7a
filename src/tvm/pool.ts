import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { ConfigForm } from './config.ts'
import type { EmulatorAnswer, TransactionAnswer } from './emulator-answer.ts'
import { type EmulatorCode, knownEmulatorCode, takeEmulatorCode } from './emulator-code.ts'
import {
  type ContractTexts,
  contractSize,
  type GetMethodRun,
  KEPT_CONFIGS,
  keptContracts,
  type TransactionRun,
  type TvmAnswer,
  type TvmJob,
  type TvmReply,
  type WorkerStart,
} from './messages.ts'

/** The part of a Worker that the pool uses. */
export interface TvmWorker {
  /** A WorkerStart, and then TvmJobs as JSON. */
  postMessage(message: WorkerStart | string): void
  terminate(): void
  /** A TvmReply as JSON, or the code of the emulator. */
  addEventListener(type: 'message', listener: (event: MessageEvent<string | EmulatorCode>) => void): void
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'close', listener: () => void): void
}

/** Starts a Worker whose entry is tvm/worker.ts. */
export type SpawnTvmWorker = () => TvmWorker

export interface TvmPoolOptions {
  spawn: SpawnTvmWorker
  /** Workers at most; each is started when the others are busy, and takes about 90 MB. */
  size: number
  /** Milliseconds that one run may take; then its Worker is ended. */
  runMs: number
  /** Runs that may wait; more are refused. */
  maxWaiting: number
  /** Milliseconds after the begin of its last run after which a Worker that has nothing to do is ended, give or take a half. */
  idleMs: number
}

/** A run of a get-method, and what it sees. */
export interface TvmTask {
  readonly method: GetMethodRun
  /** Asked for only where they are not at hand; the contract's key tells which they are. */
  texts(): ContractTexts
  readonly config: ConfigForm
}

/** A transaction, and the configuration that it sees. */
export interface TransactionTask {
  readonly transaction: TransactionRun
  readonly config: ConfigForm
}

type AnyTask = TvmTask | TransactionTask

/** Runs get-methods and transactions in Workers. */
export interface TvmPool {
  /**
   * Runs a get-method. Throws `timeout` when it takes too long or the signal ends it while it waits, `unavailable` when too
   * many wait or the pool is stopped, `internal` when the emulator breaks.
   */
  run(task: TvmTask, signal?: StopSignal): Promise<EmulatorAnswer>
  /** Runs a transaction. Throws as `run`. */
  emulate(task: TransactionTask, signal?: StopSignal): Promise<TransactionAnswer>
  stop(): void
}

/** What a pool has done since it was made, and does now. */
export interface TvmFigures {
  readonly workers: number
  readonly busy: number
  readonly waiting: number
  /** Runs by what became of them: `answered`, `broken` (the emulator), `late` (ended as it took too long), `refused` (too many waited). */
  readonly runs: Readonly<Record<'answered' | 'broken' | 'late' | 'refused', number>>
  /** Seconds spent on runs that were answered. */
  readonly seconds: number
}

/** A pool that can be looked at. */
export type OwnTvmPool = TvmPool & { figures(): TvmFigures }

/** A Worker that is not ready after this long never will be. */
const START_MS = 30_000
/** HTTP statuses: these errors have words for callers. */
const BUSY = 503
const LATE = 504

interface Waiting {
  task: AnyTask
  /** Gets an answer of the task's own kind. */
  resolve(answer: TvmAnswer): void
  reject(error: TonlithError): void
}

interface Slot {
  worker: TvmWorker
  /** What the Worker keeps: keys of configurations, and of contracts with their sizes. */
  configs: LRUCache<string, true>
  contracts: LRUCache<string, number>
  /** Undefined while the Worker starts or is idle. */
  current: Waiting | undefined
  state: 'starting' | 'idle' | 'busy'
  /** Monotonic milliseconds at which its last run began; that at which it was started before the first one. */
  since: number
  timer: ReturnType<typeof setTimeout> | undefined
}

const tooLong = (): TonlithError => new TonlithError('timeout', 'TVM: the contract ran too long', { code: LATE })
const stopped = (): TonlithError => new TonlithError('unavailable', 'the server is stopping', { code: BUSY })
const tooMany = (): TonlithError => new TonlithError('unavailable', 'too many get-methods wait', { code: BUSY })

/** A value that nests too deep to be printed or freed exhausts the call stack: that is the contract's doing. */
const brokenError = (text: string): TonlithError =>
  text.startsWith('RangeError: Maximum call stack')
    ? new TonlithError('unsupported', 'TVM stack size exceeds limit', { code: 500 })
    : new TonlithError('internal', `TVM: ${text}`)

/** The job that a task is for this Worker: without what it keeps. */
const jobFor = ({ configs, contracts }: Slot, task: AnyTask): TvmJob => {
  const { key } = task.config
  const config = { key, boc: configs.get(key) ? undefined : task.config.boc }
  configs.set(key, true)
  if ('transaction' in task) return { transaction: task.transaction, config }
  const { method } = task
  const texts = contracts.get(method.contract) === undefined ? task.texts() : undefined
  if (texts) contracts.set(method.contract, contractSize(texts))
  return { method, texts, config }
}

/** A pool without Workers yet: the first task starts the first one. */
export const createTvmPool = ({ spawn, size, runMs, maxWaiting, idleMs }: TvmPoolOptions): OwnTvmPool => {
  const slots = new Set<Slot>()
  const queue = new Set<Waiting>()
  const runs = { answered: 0, broken: 0, late: 0, refused: 0 }
  let seconds = 0
  let isStopped = false
  let sweeping: ReturnType<typeof setInterval> | undefined

  const end = (slot: Slot, error: TonlithError): void => {
    if (!slots.delete(slot)) return
    clearTimeout(slot.timer)
    slot.worker.terminate()
    slot.current?.reject(error)
    const noneWorks = slots.values().every(({ state }) => state === 'starting')
    if (slot.state === 'starting' && noneWorks) {
      for (const waiting of queue) waiting.reject(error)
      queue.clear()
    }
    pump()
  }

  const endIdle = (): void => {
    const before = performance.now() - idleMs
    for (const slot of slots) {
      if (slot.state !== 'idle' || slot.since > before) continue
      slots.delete(slot)
      slot.worker.terminate()
    }
    if (slots.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  const start = (): void => {
    sweeping ??= setInterval(endIdle, idleMs / 2)
    const slot: Slot = {
      worker: spawn(),
      configs: new LRUCache({ max: KEPT_CONFIGS }),
      contracts: keptContracts((size) => size),
      current: undefined,
      state: 'starting',
      since: performance.now(),
      timer: undefined,
    }
    const fail = (what: string): void => end(slot, new TonlithError('internal', `a TVM Worker broke: ${what}`))
    slot.timer = setTimeout(() => fail('it did not start'), START_MS)
    slot.worker.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? heed(slot, JSON.parse(data)) : takeEmulatorCode(data),
    )
    slot.worker.addEventListener('error', ({ message }) => fail(message))
    slot.worker.addEventListener('close', () => fail('it ended'))
    slots.add(slot)
    slot.worker.postMessage({ code: knownEmulatorCode() })
  }

  const heed = (slot: Slot, reply: TvmReply): void => {
    if (!slots.has(slot)) return
    clearTimeout(slot.timer)
    const { current } = slot
    slot.current = undefined
    slot.state = 'idle'
    if ('answer' in reply) {
      runs.answered++
      seconds += (performance.now() - slot.since) / 1000
      current?.resolve(reply.answer)
    } else if ('broken' in reply) {
      runs.broken++
      current?.reject(brokenError(reply.broken))
    }
    pump()
  }

  const give = (slot: Slot, waiting: Waiting): void => {
    slot.current = waiting
    slot.state = 'busy'
    slot.since = performance.now()
    slot.timer = setTimeout(() => {
      runs.late++
      end(slot, tooLong())
    }, runMs)
    slot.worker.postMessage(JSON.stringify(jobFor(slot, waiting.task)))
  }

  /** Gives waiting tasks to idle Workers, and starts one more for those that find none. */
  const pump = (): void => {
    let starting = 0
    for (const slot of slots) {
      if (slot.state === 'starting') starting++
      if (slot.state !== 'idle') continue
      const [next] = queue
      if (!next) return
      queue.delete(next)
      give(slot, next)
    }
    for (; starting < queue.size && slots.size < size; starting++) start()
  }

  const submit = <A extends TvmAnswer>(task: AnyTask, signal: StopSignal | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      if (isStopped) return reject(stopped())
      if (signal?.aborted) return reject(tooLong())
      if (queue.size >= maxWaiting) {
        runs.refused++
        return reject(tooMany())
      }
      const giveUp = (): void => {
        queue.delete(waiting)
        reject(tooLong())
      }
      const waiting: Waiting = {
        task,
        resolve: (answer) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(answer as A)
        },
        reject: (error) => {
          signal?.removeEventListener('abort', giveUp)
          reject(error)
        },
      }
      signal?.addEventListener('abort', giveUp)
      queue.add(waiting)
      pump()
    })

  return {
    run: (task, signal) => submit<EmulatorAnswer>(task, signal),
    emulate: (task, signal) => submit<TransactionAnswer>(task, signal),
    figures: () => ({
      workers: slots.size,
      busy: [...slots].filter(({ state }) => state === 'busy').length,
      waiting: queue.size,
      runs: { ...runs },
      seconds,
    }),
    stop: () => {
      isStopped = true
      clearInterval(sweeping)
      for (const waiting of queue) waiting.reject(stopped())
      queue.clear()
      for (const slot of slots) end(slot, stopped())
    },
  }
}
