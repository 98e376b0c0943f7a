import { type Clock, systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { createStop, type StopSignal } from '../common/stop.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { QueryEvent } from './bound-query.ts'
import { bestSeqno, isEligible } from './choose.ts'
import { connect, type Endpoint } from './connection.ts'
import { queryTimeout } from './connection-error.ts'
import type { Head } from './head.ts'
import { createHeadKeeper, type VerifyHead } from './head-keeper.ts'
import { createHedge, HEDGE_DEFAULTS, type HedgeOptions } from './hedge.ts'
import { type RunOptions, runRequest, type Step } from './request.ts'
import { createServer, type FaultEvent } from './server.ts'
import { type ServerStatus, statusOf } from './status.ts'

export interface PoolOptions {
  liteservers: readonly Endpoint[]
  /** What every server must name as its zero state; undefined accepts any network. */
  zeroState?: BlockIdExt | undefined
  /** Checks each new head before it counts. */
  verifyHead?: VerifyHead | undefined
  /** Told about each question, for metrics; must not throw. */
  observe?: ((event: QueryEvent) => void) | undefined
  /** Told about refused answers and banned servers, for metrics; must not throw. */
  observeFault?: ((event: FaultEvent) => void) | undefined
  /** Milliseconds for a request that does not set its own. */
  timeoutMs?: number | undefined
  /** Milliseconds that a request waits for a server when there is none. */
  patienceMs?: number | undefined
  hedge?: Partial<HedgeOptions> | undefined
  /** A server that finds this masterchain seqno is an archive. */
  archivalSeqno?: number | undefined
  clock?: Clock | undefined
  /** Numbers from 0 up to 1, for the jitter of reconnections. */
  random?: (() => number) | undefined
  connect?: typeof connect | undefined
}

export interface WaitOptions {
  timeoutMs?: number | undefined
  signal?: StopSignal | undefined
}

/** Several liteservers, asked as if they were one that does not fail. */
export interface Pool {
  /**
   * Runs a step within one deadline. Each attempt gets a `Query` that is bound to one server, and may be run again with
   * another one: when the server breaks, when it is slow (then both run, and the first to succeed wins), when the step
   * throws `proof` or `malformed`, which counts against the server, and when the server's error is about its moment only
   * (overload, its own timeout). Whatever else the step throws is final. Throws `timeout` at the deadline and
   * `unavailable` when no server can be asked.
   */
  run<T>(step: Step<T>, options?: RunOptions): Promise<T>
  /** The newest masterchain block that was accepted. */
  head(): Head | undefined
  /**
   * Milliseconds since the head was last known to be the newest: since it moved, or since a server could be asked that
   * would have told a newer one. Undefined before the first one.
   */
  headAgeMs(): number | undefined
  /** Calls back with every new head until the returned function is called. The listener must not throw. */
  onHead(listener: (head: Head) => void): () => void
  /** The head, as soon as its seqno is at least `seqno`. Throws `timeout`. */
  waitForHead(seqno: number, options?: WaitOptions): Promise<Head>
  /** Starts to connect. */
  start(): void
  /**
   * Resolves when a server can be asked. Throws `invalid`, naming the servers, when every one of them has shown that it
   * never can be as it is configured (wrong key, another network), and `timeout`.
   */
  ready(options?: WaitOptions): Promise<void>
  /** The state of every server, in the order of the configuration. */
  status(): ServerStatus[]
  stop(): void
}

const TIMEOUT_MS = 10_000
const PATIENCE_MS = 3_000
/** The early masterchain block that only archives have. */
const ARCHIVAL_SEQNO = 3
/** While nobody can be asked, the breakers are looked at this often: they open up by time alone. */
const IDLE_LOOK_MS = 100

/** A pool over the given servers; nothing is connected before `start`. */
export const createPool = (options: PoolOptions): Pool => {
  const clock = options.clock ?? systemClock
  const hedge = createHedge(clock, { ...HEDGE_DEFAULTS, ...options.hedge })
  const waiters = new Set<() => void>()
  const listeners = new Set<(head: Head) => void>()
  const stopping = createStop()
  let wasUsable = false
  let lastUsable = clock.monotonic()

  /** Whether a server can be asked; where none can, one that was left alone is asked again: what it says is checked. */
  const isUsable = (): boolean => {
    const best = bestSeqno(servers)
    let usable = servers.some((server) => isEligible(server, best))
    if (!usable) {
      for (const { breaker } of servers) breaker.pardon()
      usable = servers.some((server) => isEligible(server, best))
    }
    if (usable || wasUsable) lastUsable = clock.monotonic()
    wasUsable = usable
    return usable
  }
  const changed = (): void => {
    isUsable()
    for (const wake of [...waiters]) wake()
  }
  const keeper = createHeadKeeper(clock, options.verifyHead, (head) => {
    for (const listener of [...listeners]) listener(head)
    changed()
  })
  const servers = options.liteservers.map((endpoint, index) =>
    createServer({
      endpoint,
      index,
      clock,
      random: options.random ?? Math.random,
      connect: options.connect ?? connect,
      archivalSeqno: options.archivalSeqno ?? ARCHIVAL_SEQNO,
      zeroState: options.zeroState,
      accept: keeper.accept,
      changed,
      observe: (event) => {
        if (event.outcome === 'ok' || event.outcome === 'liteserver') hedge.observe(event.method, event.ms)
        options.observe?.(event)
      },
      observeFault: (event) => options.observeFault?.(event),
    }),
  )

  const nextChange = async (ms: number, ...signals: StopSignal[]): Promise<void> => {
    const done = createStop()
    const wake = (): void => done.abort()
    waiters.add(wake)
    for (const signal of signals) {
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    }
    await clock.sleep(ms, done.signal)
    waiters.delete(wake)
    for (const signal of signals) signal.removeEventListener('abort', wake)
  }

  const until = async <T>(look: () => T | undefined, { timeoutMs = TIMEOUT_MS, signal }: WaitOptions): Promise<T> => {
    const deadline = clock.monotonic() + timeoutMs
    const signals: StopSignal[] = signal ? [signal, stopping.signal] : [stopping.signal]
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      const left = deadline - clock.monotonic()
      if (left <= 0 || signals.some(({ aborted }) => aborted)) throw queryTimeout()
      await nextChange(left, ...signals)
    }
  }

  /** A request waits for a server that has just gone, not for one that has been away, or of a kind that is not there. */
  const patienceMs = (archival: boolean): number => {
    if (stopping.signal.aborted) return 0
    const all = options.patienceMs ?? PATIENCE_MS
    if (isUsable()) return archival && !servers.some((server) => server.archival) ? 0 : all
    return Math.max(0, all - (clock.monotonic() - lastUsable))
  }

  const context = {
    servers,
    hedge,
    clock,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    patienceMs,
    changed: (signal: StopSignal) => nextChange(IDLE_LOOK_MS, signal),
  }

  const isReady = (): true | undefined => {
    if (isUsable()) return true
    const refusals = servers.map(({ refusal }) => refusal)
    if (refusals.includes(undefined)) return undefined
    throw new TonlithError('invalid', refusals.map((refusal) => refusal?.message).join('; '))
  }

  return {
    run: (step, request = {}) => runRequest(context, step, request),
    head: () => keeper.head,
    headAgeMs: () => {
      if (keeper.movedAt === undefined) return undefined
      return isUsable() ? 0 : clock.monotonic() - Math.max(keeper.movedAt, lastUsable)
    },
    onHead: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    waitForHead: (seqno, wait = {}) =>
      until(() => (keeper.head && keeper.head.id.seqno >= seqno ? keeper.head : undefined), wait),
    start: () => {
      for (const server of servers) server.start()
    },
    ready: async (wait = {}) => {
      await until(isReady, wait)
    },
    status: () => statusOf(servers),
    stop: () => {
      stopping.abort()
      for (const server of servers) server.stop()
    },
  }
}
