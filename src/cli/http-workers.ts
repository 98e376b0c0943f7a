import { type RequestSeries, sumOfSeries } from '../api/middleware/metrics.ts'
import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { lastingSum, type MetricSamples } from '../common/metrics-sum.ts'
import type { FirstFunctions, HttpOrder, WorkerCounts, WorkerFunctions, WorkerReport } from './http-worker-messages.ts'
import { createProcessCalls, type ProcessCalls, type ProcessMessage } from './process-calls.ts'

/** A further process, as the system knows it. */
export interface HttpProcess {
  pid: number
  post(message: ProcessMessage): void
  /** Ends it at once. */
  kill(): void
}

/** Starts one; `ended` is called once, with how it ended. Throws where it cannot be started. */
export type SpawnHttpProcess = (message: (message: ProcessMessage) => void, ended: (how: string) => void) => HttpProcess

/** How a further process is, for operators. */
export interface WorkerState {
  place: number
  state: 'starting' | 'on' | 'waiting'
  pid: number | undefined
  /** How often it was started anew. */
  restarts: number
}

/** The further processes that answer HTTP, as the first one sees them. */
export interface HttpWorkers {
  /** Starts them all. Ends when each of them answers, or could not. */
  start(order: () => Omit<HttpOrder, 'place'>): Promise<void>
  states(): readonly WorkerState[]
  /** What each that answers says of itself; undefined for one that says nothing within three seconds. */
  reports(): Promise<{ place: number; report: WorkerReport | undefined }[]>
  /** All that was counted by them as far as it is known, also by those that have ended. */
  counted(): { metrics: MetricSamples[]; requests: (readonly RequestSeries[])[] }
  /** Asks all but one, and waits for those that answer HTTP up to so many milliseconds. Never rejects. */
  askAll<N extends keyof WorkerFunctions & string>(
    name: N,
    args: Parameters<WorkerFunctions[N]>,
    ms: number,
    but?: number,
  ): Promise<void>
  /** Ends them: requests under way are answered first. */
  stop(): Promise<void>
}

export interface HttpWorkersOptions {
  count: number
  spawn: SpawnHttpProcess
  /** What the process of a number may ask. */
  functions(place: number): FirstFunctions
  clock: Clock
  logger: Logger
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** One that ran for so long starts with the first pause again when it ends. */
const GOOD_RUN_MS = 60_000
const START_MS = 60_000
const REPORT_MS = 3_000
/** How often each is looked at, and after how long a silence it is taken for dead. */
const LOOK_MS = 5_000
const SILENCE_MS = 30_000
const STOP_MS = 9_000

interface Slot extends WorkerState {
  process: HttpProcess | undefined
  calls: ProcessCalls<WorkerFunctions> | undefined
  /** What it counted, as far as it told. */
  counts: WorkerCounts | undefined
  startedAt: number
  pause: number
  looking: boolean
  /** Settles once it ends. */
  gone: PromiseWithResolvers<void>
}

/** Keeps so many processes running: one that ends is started anew, after ever longer pauses. */
export const createHttpWorkers = ({ count, spawn, functions, clock, logger }: HttpWorkersOptions): HttpWorkers => {
  const ending = new AbortController()
  let orderNow: (() => Omit<HttpOrder, 'place'>) | undefined
  let endedMetrics: MetricSamples = []
  let endedRequests: readonly RequestSeries[] = []
  const slots = Array.from(
    { length: count },
    (_, i): Slot => ({
      place: i + 2,
      state: 'waiting',
      pid: undefined,
      restarts: 0,
      process: undefined,
      calls: undefined,
      counts: undefined,
      startedAt: Number.NEGATIVE_INFINITY,
      pause: FIRST_PAUSE_MS,
      looking: false,
      gone: Promise.withResolvers(),
    }),
  )
  const running = (): Slot[] => slots.filter(({ state }) => state === 'on')

  const keepCounts = async ({ metrics, requests }: WorkerCounts): Promise<void> => {
    endedRequests = sumOfSeries([endedRequests, requests])
    endedMetrics = await lastingSum([endedMetrics, metrics])
  }

  const again = (slot: Slot, how: string): void => {
    if (clock.monotonic() - slot.startedAt > GOOD_RUN_MS) slot.pause = FIRST_PAUSE_MS
    slot.restarts++
    const { place, restarts, pause } = slot
    logger.error(
      { http_worker: place, reason: how, restarts },
      `an HTTP process ended; it is started again in ${pause / 1000} s`,
    )
    slot.pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    void clock.sleep(pause, ending.signal).then(() => {
      if (!ending.signal.aborted) void begin(slot)
    })
  }

  const ended = (slot: Slot, how: string): void => {
    const { calls, counts, gone } = slot
    Object.assign(slot, { state: 'waiting', process: undefined, pid: undefined, calls: undefined, counts: undefined })
    calls?.close()
    gone.resolve()
    if (counts) void keepCounts(counts)
    if (!ending.signal.aborted) again(slot, how)
  }

  /** Undefined where the system has no room for one (descriptors, processes, memory): there may be later. */
  const spawned = (slot: Slot): HttpProcess | undefined => {
    try {
      return spawn(
        (message) => slot.calls?.heed(message),
        (how) => ended(slot, how),
      )
    } catch (error) {
      ended(slot, String(error))
      return undefined
    }
  }

  /** Ends when it answers, or could not start: then it is started anew later. */
  const begin = async (slot: Slot): Promise<void> => {
    const { place } = slot
    slot.state = 'starting'
    slot.startedAt = clock.monotonic()
    slot.gone = Promise.withResolvers()
    const mine = spawned(slot)
    if (!mine) return
    slot.process = mine
    slot.pid = mine.pid
    const calls = createProcessCalls<WorkerFunctions>(functions(place), mine.post)
    slot.calls = calls
    try {
      await calls.ask('start', [{ place, ...orderNow!() }], START_MS)
      slot.state = 'on'
      logger.info({ http_worker: place, pid: mine.pid }, 'an HTTP process answers')
    } catch (error) {
      if (slot.process !== mine) return
      logger.error({ http_worker: place, err: error }, 'an HTTP process could not start')
      mine.kill()
    }
  }

  /** Undefined for one that says nothing in time. */
  const counted = async <T extends WorkerCounts>(slot: Slot, asked: Promise<T> | undefined): Promise<T | undefined> => {
    const { process } = slot
    try {
      const given = await asked
      if (given && slot.process === process) slot.counts = given
      return given
    } catch (error) {
      if (!isTonlithError(error, 'timeout') && !isTonlithError(error, 'unavailable')) throw error
      return undefined
    }
  }

  /** Its connections would wait for it for ever. */
  const look = async (slot: Slot): Promise<void> => {
    const { process, calls, place } = slot
    if (slot.looking || !process) return
    slot.looking = true
    const alive = await counted(slot, calls?.ask('lasting', [], SILENCE_MS)).finally(() => {
      slot.looking = false
    })
    if (alive || slot.process !== process || ending.signal.aborted) return
    logger.error({ http_worker: place }, `an HTTP process is silent for ${SILENCE_MS / 1000} s and is ended`)
    process.kill()
  }

  const timer = setInterval(() => {
    for (const slot of running()) look(slot).catch((err) => logger.error({ err }, 'an HTTP process cannot be asked'))
  }, LOOK_MS)

  return {
    start: async (order) => {
      orderNow = order
      await Promise.all(slots.map(begin))
    },
    states: () => slots.map(({ place, state, pid, restarts }) => ({ place, state, pid, restarts })),
    reports: () =>
      Promise.all(
        running().map(async (slot) => ({
          place: slot.place,
          report: await counted(slot, slot.calls?.ask('report', [], REPORT_MS)),
        })),
      ),
    counted: () => {
      const known = slots.flatMap(({ counts }) => counts ?? [])
      return {
        metrics: [...known.map(({ metrics }) => metrics), endedMetrics],
        requests: [...known.map(({ requests }) => requests), endedRequests],
      }
    },
    askAll: async (name, args, ms, but) => {
      const asked = slots
        .filter(({ place }) => place !== but)
        .map(({ state, calls }) => ({ state, answer: calls?.ask(name, args, ms).catch(() => {}) }))
      await Promise.all(asked.map(({ state, answer }) => (state === 'on' ? answer : undefined)))
    },
    stop: async () => {
      ending.abort()
      clearInterval(timer)
      const left = slots.filter(({ process }) => process !== undefined)
      for (const slot of left) {
        const { state, process, calls } = slot
        const kill = (): void => {
          if (slot.process === process) process?.kill()
        }
        if (state === 'on') calls?.ask('stop', [], STOP_MS).catch(kill)
        else kill()
      }
      const late = setTimeout(() => {
        for (const { process } of slots) process?.kill()
      }, STOP_MS)
      await Promise.all(left.map(({ gone }) => gone.promise))
      clearTimeout(late)
    },
  }
}
