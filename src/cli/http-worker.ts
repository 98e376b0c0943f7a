import { createLogger } from '../common/logger.ts'
import { createStopStack, exitOnSignals } from '../common/shutdown.ts'
import { openKeys } from './api-keys.ts'
import { arrivals } from './arrivals.ts'
import { createFirstProcess, type FirstProcess } from './further-peer.ts'
import { type FirstFunctions, type HttpOrder, settingsOfWire, type WorkerFunctions } from './http-worker-messages.ts'
import { revivedServers } from './index-messages.ts'
import { createProcessCalls, type ProcessCalls, type ProcessMessage } from './process-calls.ts'
import { serveNetwork } from './served-network.ts'
import { type Site, startSite } from './served-site.ts'
import type { SpawnWorkers } from './start-parts.ts'
import { createTrustStore } from './trust-store.ts'
import { startTvm } from './tvm.ts'

/** Requests under way have this long once the first process is gone. */
const ORPHAN_MS = 1_000

/** What answers HTTP here, once it does. */
interface Serving {
  first: FirstProcess
  site: Site
  change(live: Parameters<WorkerFunctions['settings']>[0]): void
}

const serve = async (
  order: HttpOrder,
  calls: ProcessCalls<FirstFunctions>,
  spawn: SpawnWorkers,
  parts: ReturnType<typeof createStopStack>,
): Promise<Serving> => {
  const settings = settingsOfWire(order.settings)
  const { network, freeKey, home } = order
  const { data, http_workers: processes } = settings
  const logger = createLogger(settings.log_level, settings.log).child({ http_worker: order.place })
  const tvm = startTvm(spawn.tvm, processes)
  parts.add(tvm.stop)
  const freeKeyNow = () => settings.api_key ?? freeKey
  const keys = await openKeys({ data, network, plans: () => settings.plans, freeKey: freeKeyNow, logger, parts })
  const first = createFirstProcess({ order, settings, first: calls, logger })
  const { dev } = first.peers
  const trusted = createTrustStore(data, logger)
  const site = await startSite({
    serve: (mine) =>
      serveNetwork({
        settings,
        network,
        servers: revivedServers(order.servers),
        keys,
        tvm,
        logger,
        parts: mine,
        index: { home, replaceable: false, moves: true },
        peers: first.peers,
        spawnIndexWorkers: spawn,
        // The first process keeps what was reached.
        ...(network !== 'dev' && { trustStore: { load: trusted.load, save: () => {} } }),
        ...(dev && { dev }),
        arrive: dev && order.fork ? arrivals(dev) : undefined,
      }),
    at: order.listen,
    adminAt: undefined,
    shared: true,
    logger,
    parts,
  })
  return { first, site, change: (live) => void Object.assign(settings, live) }
}

/**
 * Is one of the further processes that answer HTTP: takes its order from the process that started it, and ends with it.
 * @param drainMs how long its end may take
 */
export const httpWorker = (spawn: SpawnWorkers, drainMs: number): void => {
  const parts = createStopStack()
  let serving: Serving | undefined
  let starting: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await starting?.catch(() => {})
    await parts.stop()
  }
  /** Begins once it is serving. */
  const soon = async <T>(act: (here: Serving) => T | Promise<T>): Promise<T> => {
    await starting
    if (!serving) throw new Error('it was not started')
    return await act(serving)
  }
  const functions: WorkerFunctions = {
    start: (order) => {
      starting = serve(order, calls, spawn, parts).then((started) => {
        serving = started
      })
      return starting
    },
    report: () => soon(({ first }) => first.report()),
    lasting: () => soon(({ first }) => first.lasting()),
    sent: (boc) => soon(({ first }) => first.sent(Buffer.from(boc))),
    index: (report) => soon(({ first }) => first.index(report)),
    settings: (live) => soon(({ change }) => change(live)),
    pause: () =>
      soon(async ({ first, site }) => {
        await site.pause()
        first.forgetIndex()
      }),
    resume: () => soon(({ site }) => site.resume()),
    stop: async () => {
      void stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
      setTimeout(() => process.exit(1), drainMs)
    },
  }
  const calls = createProcessCalls<FirstFunctions>(functions, (message) => {
    if (process.connected) process.send?.(message)
  })
  process.on('message', (message) => calls.heed(message as ProcessMessage))
  process.on('disconnect', () => {
    calls.close()
    void stop().finally(() => process.exit(1))
    setTimeout(() => process.exit(1), ORPHAN_MS)
  })
  exitOnSignals(stop, drainMs, process)
}
