import { type RequestSeries, requestsText, sumOfSeries } from '../api/middleware/metrics.ts'
import type { Readiness } from '../api/system/routes.ts'
import type { Clock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { sumText } from '../common/metrics-sum.ts'
import type { Settings } from '../config.ts'
import type { DevControl } from '../devnet/control.ts'
import { httpProcesses } from './http-process.ts'
import { type FirstFunctions, type HttpOrder, liveSettings } from './http-worker-messages.ts'
import { createHttpWorkers } from './http-workers.ts'
import type { IndexReport } from './index-host.ts'
import type { AskedOfFirst, PeersOfFirst, WholeSystem } from './peers.ts'
import { makeSharedCounts, openSharedCounts } from './shared-counts.ts'

/** The further processes, as the one that starts them sees them. */
export interface FurtherProcesses {
  peers: PeersOfFirst
  /** Starts them. Ends when each of them answers, or could not. */
  start(order: () => Omit<HttpOrder, 'place' | 'index' | 'pending'>): Promise<void>
  /** Tells them the settings that may change. */
  settingsChanged(): void
  /** Has them read nothing of the network until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface FurtherProcessesOptions {
  settings: Settings
  /** What can be done to a live network of our own. */
  dev: DevControl | undefined
  clock: Clock
  logger: Logger
}

/** A message is known to all within this time, or its sender is answered without. */
const TELL_SENT_MS = 1_000
const TELL_MS = 10_000
const RENEW_MS = 60_000
/** A following index tells of each block, one that catches up far more often. */
const INDEX_EVERY_MS = 50

const STARTING = new TonlithError('unavailable', 'the first process is starting')
const NOTHING_YET: AskedOfFirst = {
  webhooksDue: () => Promise.resolve(),
  damage: () => Promise.resolve(),
  wanted: () => Promise.resolve(),
  pending: () => [],
}

const requestsOf = (series: readonly RequestSeries[] = []): number => series.reduce((sum, { count }) => sum + count, 0)

/** Begins with no process; they are started once this one listens. */
export const createFurtherProcesses = ({ settings, dev, clock, logger }: FurtherProcessesOptions): FurtherProcesses => {
  const counts = makeSharedCounts()
  const startedAt = clock.monotonic()
  const listeners = new Set<(boc: Buffer) => void>()
  let answering = NOTHING_YET
  let whole: WholeSystem | undefined
  let index: IndexReport | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const wholeNow = (): WholeSystem => {
    if (!whole) throw STARTING
    return whole
  }

  const functions = (place: number): FirstFunctions => ({
    readiness: async () => await wholeNow().readiness(),
    status: async () => await wholeNow().status(),
    metrics: async () => await wholeNow().metrics(),
    sent: async (bytes) => {
      const boc = Buffer.from(bytes)
      for (const listener of listeners) listener(boc)
      await workers.askAll('sent', [boc], TELL_SENT_MS, place)
    },
    webhooksDue: () => answering.webhooksDue(),
    damage: (reason) => answering.damage(reason),
    wanted: (uris) => answering.wanted(uris),
    dev: async ({ name, args }) => {
      if (!dev) throw new TonlithError('notFound', 'there is no live network')
      return await (dev[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    },
  })

  const workers = createHttpWorkers({
    count: settings.http_workers - 1,
    spawn: httpProcesses(counts),
    functions,
    clock,
    logger,
  })

  const join: PeersOfFirst['join'] = (own) => {
    const readiness = async (): Promise<Readiness> => {
      const mine = own.readiness()
      if (!mine.ready) return mine
      for (const { place, report } of await workers.reports()) {
        const { ready, reason } = report?.readiness ?? { ready: false, reason: 'it does not answer' }
        if (!ready) return { ready, reason: `HTTP process ${place}: ${reason}` }
      }
      return mine
    }
    const status = async () => {
      const reports = new Map((await workers.reports()).map(({ place, report }) => [place, report]))
      const further = workers.states().map(({ place, state, restarts }) => ({
        place,
        state: state === 'on' && !reports.get(place) ? 'silent' : state,
        restarts,
        requests: requestsOf(reports.get(place)?.requests),
        ...reports.get(place)?.status,
      }))
      const uptime_seconds = Math.floor((clock.monotonic() - startedAt) / 1000)
      const mine = { place: 1, state: 'on', restarts: 0, requests: requestsOf((await own.counted()).requests) }
      return { uptime_seconds, ...own.status(), http_workers: [mine, ...further] }
    }
    const metrics = async (): Promise<string> => {
      const [mine] = await Promise.all([own.counted(), workers.reports()])
      const others = workers.counted()
      const text = await sumText([mine.metrics, ...others.metrics])
      return text + requestsText(sumOfSeries([mine.requests, ...others.requests]))
    }
    const joined = { readiness, status, metrics }
    whole = joined
    return joined
  }

  const tellIndex = (): void => {
    timer = undefined
    if (index) void workers.askAll('index', [index], TELL_MS)
  }

  return {
    peers: {
      kind: 'first',
      processes: settings.http_workers,
      counts: openSharedCounts(counts, clock),
      join,
      tellSent: (boc) => workers.askAll('sent', [boc], TELL_SENT_MS),
      onSent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      keep: (given) => {
        answering = given
      },
      indexChanged: (report) => {
        index = report
        timer ??= setTimeout(tellIndex, INDEX_EVERY_MS)
      },
      sample: () => {
        const states = workers.states()
        return {
          running: 1 + states.filter(({ state }) => state === 'on').length,
          restarts: states.reduce((sum, { restarts }) => sum + restarts, 0),
        }
      },
    },
    start: (order) => workers.start(() => ({ ...order(), index, pending: answering.pending() })),
    settingsChanged: () => void workers.askAll('settings', [liveSettings(settings)], TELL_MS),
    pause: async () => {
      clearTimeout(timer)
      timer = undefined
      index = undefined
      await workers.askAll('pause', [], RENEW_MS)
    },
    resume: () => workers.askAll('resume', [], RENEW_MS),
    stop: async () => {
      clearTimeout(timer)
      await workers.stop()
    },
  }
}
