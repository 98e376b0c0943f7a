import { type Aggregator, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { EventLoopDelay } from './event-loop-delay.ts'
import { VERSION } from './version.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is known of one server at the moment of a scrape. */
export type ServerSample = {
  /** Position in the global config. */
  index: number
  online: boolean
  /** Seqno of its last masterchain block. */
  seqno: number | undefined
  inFlight: number
  /** Masterchain blocks behind the best server. */
  behind?: number | undefined
  /** Expected milliseconds to an answer. */
  latencyMs?: number
}

/** What is known of the index at the moment of a scrape. */
export type IndexSample = {
  /** Its Worker runs and nothing keeps it from writing. */
  running: boolean
  /** Newest masterchain block that is stored, and the chain's; 0 if unknown. */
  seqno: number
  head: number
  /** Masterchain blocks that are wanted and not stored. */
  missing: number
  blocks: number
  transactions: number
  bytes: number
  freeBytes: number
  /** How often connections were made anew, and how often its Worker was started anew. */
  reconnections: number
  restarts: number
  /** Accounts of which it was found out what they are, get-methods run for that, and what was wrong, by its name. */
  detection: { accounts: number; runs: number; faults: Readonly<Record<string, number>> }
  /** Failures of matchers of actions, by their names. */
  actionFaults: Readonly<Record<string, number>>
}

/** What is known of the fetching of tokens' metadata at the moment of a scrape. */
export type MetadataSample = {
  waiting: number
  running: number
  /** Since the Worker of the index started. */
  fetched: number
  /** How many tries failed since then, by reason. */
  failures: readonly (readonly [reason: string, count: number])[]
  bytes: number
}

/** What is known of the sending of webhooks at the moment of a scrape; counts are since it began. */
export type WebhookSample = {
  delivered: number
  /** Attempts. */
  failed: number
  exhausted: number
  ignored: number
  running: number
  /** Seconds. */
  oldest_undelivered: number
  paused: boolean
}

/** What is known of the Workers that run get-methods at the moment of a scrape; counts are since the start. */
export type TvmSample = {
  workers: number
  busy: number
  waiting: number
  /** Runs by what became of them. */
  runs: Readonly<Record<string, number>>
  /** Seconds that Workers spent on runs that were answered. */
  seconds: number
}

/** What is known of the processes that answer HTTP at the moment of a scrape. */
export type HttpWorkersSample = { running: number; restarts: number }

/** Where the values come from that are read at each scrape. */
export type MetricSources = {
  servers(): readonly ServerSample[]
  /** The delays of the event loop since it was asked last. */
  eventLoop?(): EventLoopDelay
  tvm?(): TvmSample
  /** The files of what is kept, by the name of the store, with their bytes. */
  stores?(): Readonly<Record<string, number>>
  /** Undefined where no index is kept. */
  index?(): IndexSample | undefined
  /** Undefined where none is kept. */
  metadata?(): MetadataSample | undefined
  /** Undefined while none are sent. */
  webhooks?(): WebhookSample | undefined
  /** Left out where there is one process only. */
  httpWorkers?(): HttpWorkersSample
}

/** A metric whose value is kept elsewhere, and read at each scrape. While there is no sample it stays as it is. */
const sampled =
  <Sample>(read: () => Sample | undefined, registers: Registry[]) =>
  (name: string, help: string, value: (sample: Sample) => number) => ({
    name,
    help,
    registers,
    collect(this: Counter | Gauge) {
      const sample = read()
      if (!sample) return
      this.reset()
      this.inc(value(sample))
    },
  })

type Value<Sample> = [name: string, help: string, value: (sample: Sample) => number]

const gaugesOf = <Sample>(read: () => Sample | undefined, registers: Registry[]) => {
  const of = sampled(read, registers)
  return (...value: Value<Sample>) => new Gauge(of(...value))
}

/** The same of what only grows. */
const countersOf = <Sample>(read: () => Sample | undefined, registers: Registry[]) => {
  const of = sampled(read, registers)
  return (...value: Value<Sample>) => new Counter(of(...value))
}

/** A metric with one label, whose values and theirs are read at each scrape. */
const labelled = (
  registers: Registry[],
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
) => ({
  name,
  help,
  labelNames: [label],
  registers,
  collect(this: Counter | Gauge) {
    this.reset()
    for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
  },
})

const labelledCounter = (...metric: Parameters<typeof labelled>) => new Counter(labelled(...metric))

const metricsOfWebhooks = (read: () => WebhookSample | undefined, registers: Registry[]): void => {
  const gauge = gaugesOf(read, registers)
  const counter = countersOf(read, registers)
  counter('tonlith_webhooks_delivered', 'Webhooks that were delivered', ({ delivered }) => delivered)
  counter('tonlith_webhooks_failed', 'Attempts to deliver a webhook that failed', ({ failed }) => failed)
  counter('tonlith_webhooks_exhausted', 'Webhooks whose last retry failed', ({ exhausted }) => exhausted)
  counter('tonlith_webhooks_ignored', 'Webhooks of merchants with no URL that may be used', ({ ignored }) => ignored)
  gauge('tonlith_webhooks_running', 'Webhooks that are being sent', ({ running }) => running)
  gauge(
    'tonlith_webhooks_oldest_undelivered_seconds',
    'Age of the oldest event that waits to be delivered, 0 where none does',
    ({ oldest_undelivered }) => oldest_undelivered,
  )
  gauge('tonlith_webhooks_paused', 'Whether nothing is sent as nothing can be written', ({ paused }) => Number(paused))
}

const metricsOfHttpWorkers = (read: () => HttpWorkersSample, registers: Registry[]): void => {
  gaugesOf(read, registers)('tonlith_http_workers', 'Processes that answer HTTP now', ({ running }) => running)
  const help = 'Times that one of the processes that answer HTTP was started anew'
  countersOf(read, registers)('tonlith_http_worker_restarts', help, ({ restarts }) => restarts)
}

const metricsOfIndex = (read: () => IndexSample | undefined, registers: Registry[]): void => {
  const gauge = gaugesOf(read, registers)
  const counter = countersOf(read, registers)
  gauge('tonlith_index_running', 'Whether the index is written: 0 while it pauses or its Worker is down', (index) =>
    Number(index.running),
  )
  gauge('tonlith_index_seqno', 'Newest masterchain block that is indexed', ({ seqno }) => seqno)
  gauge('tonlith_index_head', 'Newest masterchain block that the index knows of', ({ head }) => head)
  gauge('tonlith_index_missing_blocks', 'Masterchain blocks that are wanted and not indexed', (index) => index.missing)
  counter('tonlith_index_blocks', 'Masterchain blocks indexed since the Worker started', ({ blocks }) => blocks)
  counter('tonlith_index_transactions', 'Transactions indexed since the Worker started', (index) => index.transactions)
  gauge('tonlith_index_bytes', 'Bytes of the file of the index', ({ bytes }) => bytes)
  gauge('tonlith_index_free_bytes', 'Bytes that are free on the disk of the index', ({ freeBytes }) => freeBytes)
  counter(
    'tonlith_index_reconnections',
    'Times that the index connected anew as nothing moved',
    (index) => index.reconnections,
  )
  counter(
    'tonlith_index_detected_accounts',
    'Accounts of which the index found out what they are since the Worker started',
    ({ detection }) => detection.accounts,
  )
  counter(
    'tonlith_index_detection_runs',
    'Get-methods that the index ran for that since the Worker started',
    ({ detection }) => detection.runs,
  )
  labelledCounter(
    registers,
    'tonlith_index_detection_faults',
    'Accounts that were not what they seemed to be, or of which that could not be told, by the reason',
    'fault',
    () => ({ ...read()?.detection.faults }),
  )
  labelledCounter(
    registers,
    'tonlith_index_action_faults',
    'Times that a matcher of actions failed since the Worker started; what it looked at is told as basic actions',
    'matcher',
    () => read()?.actionFaults ?? {},
  )
  counter('tonlith_index_restarts', 'Times that the Worker of the index was started anew', ({ restarts }) => restarts)
}

const metricsOfTvm = (read: () => TvmSample, registers: Registry[]): void => {
  const gauge = gaugesOf(read, registers)
  const counter = countersOf(read, registers)
  gauge('tonlith_tvm_workers', 'Workers for get-methods and emulations that run', ({ workers }) => workers)
  gauge('tonlith_tvm_busy', 'Workers that run a contract now', ({ busy }) => busy)
  gauge('tonlith_tvm_waiting', 'Runs that wait for a Worker', ({ waiting }) => waiting)
  counter('tonlith_tvm_seconds', 'Seconds spent on runs that were answered', ({ seconds }) => seconds)
  labelledCounter(registers, 'tonlith_tvm_runs', 'Runs by what became of them', 'outcome', () => read().runs)
}

const metricsOfMetadata = (read: () => MetadataSample | undefined, registers: Registry[]): void => {
  const gauge = gaugesOf(read, registers)
  const counter = countersOf(read, registers)
  gauge('tonlith_metadata_waiting', 'URIs of tokens that wait to be fetched', ({ waiting }) => waiting)
  gauge('tonlith_metadata_running', 'URIs of tokens that are being fetched', ({ running }) => running)
  counter('tonlith_metadata_fetched', 'Documents of tokens fetched since the Worker started', ({ fetched }) => fetched)
  gauge('tonlith_metadata_bytes', 'Bytes of the documents that are kept', ({ bytes }) => bytes)
  const help = 'Tries to fetch a document since the Worker started that failed, by reason'
  const failures = () => Object.fromEntries(read()?.failures ?? [])
  labelledCounter(registers, 'tonlith_metadata_failed', help, 'reason', failures)
}

/**
 * Every metric of the program in a registry of its own, with how those of several processes become one (a sum, where
 * nothing is said), but for the histogram of HTTP requests, which api/middleware counts itself at a fraction of the cost.
 * Labels are names of methods and places of servers in the global config, as in /status: never what a caller sent, never an address.
 */
export const createMetrics = (sources: MetricSources) => {
  const registry = new Registry()
  const registers = [registry]
  const perServer = (
    name: string,
    help: string,
    read: (server: ServerSample) => number | undefined,
    aggregator: Aggregator = 'max',
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: ['server'],
      registers,
      collect() {
        this.reset()
        for (const server of sources.servers()) this.set({ server: server.index }, read(server) ?? 0)
      },
    })

  new Gauge({
    name: 'tonlith_build_info',
    help: 'Always 1; the labels name the version',
    aggregator: 'first',
    labelNames: ['version', 'bun'],
    registers,
  }).set({ version: VERSION, bun: Bun.version }, 1)
  new Gauge({
    name: 'tonlith_process_start_time_seconds',
    help: 'Unix time at which the process started',
    aggregator: 'min',
    registers,
  }).set(Math.floor(Date.now() / 1000 - process.uptime()))
  new Gauge({
    name: 'tonlith_process_resident_memory_bytes',
    help: 'Memory of the process that is resident',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'tonlith_process_cpu_seconds',
    help: 'Processor time, user and system, that the process has used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.set((user + system) / 1e6)
    },
  })
  const { eventLoop } = sources
  if (eventLoop)
    new Gauge({
      name: 'tonlith_event_loop_delay_seconds',
      help: 'How late the event loop was since the last scrape; quantile 1 is the longest that anything blocked it',
      labelNames: ['quantile'],
      aggregator: 'max',
      registers,
      collect() {
        const { median, p99, max } = eventLoop()
        this.set({ quantile: '0.5' }, median)
        this.set({ quantile: '0.99' }, p99)
        this.set({ quantile: '1' }, max)
      },
    })
  if (sources.index) metricsOfIndex(sources.index, registers)
  if (sources.tvm) metricsOfTvm(sources.tvm, registers)
  if (sources.stores)
    new Gauge(labelled(registers, 'tonlith_store_bytes', 'Bytes of the files of what is kept', 'store', sources.stores))
  if (sources.metadata) metricsOfMetadata(sources.metadata, registers)
  if (sources.webhooks) metricsOfWebhooks(sources.webhooks, registers)
  if (sources.httpWorkers) metricsOfHttpWorkers(sources.httpWorkers, registers)
  perServer(
    'tonlith_liteserver_online',
    'Whether the liteserver is connected and its head known',
    ({ online }) => Number(online),
    'min',
  )
  perServer('tonlith_liteserver_seqno', 'Last masterchain block of the liteserver, 0 if unknown', ({ seqno }) => seqno)
  perServer(
    'tonlith_liteserver_behind_blocks',
    'Masterchain blocks that the liteserver is behind the best one, 0 if unknown',
    ({ behind }) => behind,
  )
  perServer(
    'tonlith_liteserver_latency_seconds',
    'Expected time to an answer of the liteserver',
    ({ latencyMs = 0 }) => latencyMs / 1000,
    'average',
  )
  perServer('tonlith_liteserver_in_flight', 'Queries that wait for the liteserver', ({ inFlight }) => inFlight, 'sum')

  return {
    registry,
    liteserverQueries: new Counter({
      name: 'tonlith_liteserver_queries_total',
      help: 'Queries to liteservers by what became of them',
      labelNames: ['server', 'method', 'outcome'],
      registers,
    }),
    liteserverRefusals: new Counter({
      name: 'tonlith_liteserver_refused_answers_total',
      help: 'Answers of liteservers that were refused: not proven, or not to be read',
      labelNames: ['server'],
      registers,
    }),
    liteserverBans: new Counter({
      name: 'tonlith_liteserver_bans_total',
      help: 'Times that a liteserver was left alone for a while because what it said was false',
      labelNames: ['server'],
      registers,
    }),
    liteserverSeconds: new Histogram({
      name: 'tonlith_liteserver_query_seconds',
      help: 'Time from a query to the answer of the liteserver',
      labelNames: ['method'],
      buckets: SECONDS,
      registers,
    }),
  }
}
