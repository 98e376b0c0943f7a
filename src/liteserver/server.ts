import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { decodeAnswer } from '../ton/tl/lite-api.ts'
import { backoffMs } from './backoff.ts'
import { type BoundOptions, boundQuery, type QueryEvent, questionBytes } from './bound-query.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { lookupBlock } from './client.ts'
import type { Connection, connect, Endpoint } from './connection.ts'
import { CONNECTION_DEFAULTS } from './connection.ts'
import { ConnectionError } from './connection-error.ts'
import { isFault } from './failures.ts'
import { followHead, type Head } from './head.ts'
import { createLatency, type Latency } from './latency.ts'
import type { Query } from './query.ts'

export interface ServerOptions {
  endpoint: Endpoint
  index: number
  clock: Clock
  random: () => number
  connect: typeof connect
  /** Masterchain seqno that an archive server has: the probe looks it up. */
  archivalSeqno: number
  zeroState: BlockIdExt | undefined
  /** Takes a head before it counts as the server's; `query` asks this very server. */
  accept(head: Head, query: Query): Promise<void>
  /** Told whenever something changed that may matter to who waits for a server. */
  changed(): void
  observe(event: QueryEvent): void
  observeFault(event: FaultEvent): void
}

/** Something that a server said was refused, or the server is left alone for it, for metrics. */
export interface FaultEvent {
  /** Position of the server in the global config. */
  index: number
  /** False: an answer of it was refused. True: it was proven wrong, and is not asked for a while. */
  banned: boolean
}

/** One liteserver of the pool, kept connected. */
export interface Server {
  readonly index: number
  /** `host:port`. */
  readonly name: string
  /** Counts the connections that were made; a question lost with one may be asked again over the next. */
  readonly generation: number
  /** Connected, and its head is known. */
  readonly online: boolean
  readonly head: Head | undefined
  readonly archival: boolean
  readonly inFlight: number
  readonly breaker: Breaker
  readonly latency: Latency
  /** Expected milliseconds for an answer, from samples and, where these are old, from the round trip of pings. */
  readonly expectedMs: number
  readonly lastError: Error | undefined
  /** Why this server can never serve us as it is configured; undefined when that is not so. */
  readonly refusal: TonlithError | undefined
  query(options: BoundOptions): Query
  /** An answer was refused; whose fault that is another server's answer will tell. */
  refuse(): void
  /** The server said something false: no questions for a while. */
  blame(error: unknown): void
  start(): void
  stop(): void
}

/** The most is short, so that all is well again soon after the last server was away for long. */
const RECONNECT = { baseMs: 20, maxMs: 2_000 }
const QUERY_TIMEOUT_MS = 10_000
const ARCHIVAL_PROBE_MS = 120_000
const BLAME_MS = 30_000
const SAMPLE_LIFE_MS = 60_000
const UNKNOWN_MS = 1_000
/** A restarting server may hang up on us once; two in a row mean that the key is wrong. */
const KEY_REFUSALS = 2

/** Keeps one liteserver connected, its head followed and its age of data known, from `start` to `stop`. */
export const createServer = (options: ServerOptions): Server => {
  const { endpoint, clock } = options
  const name = `${endpoint.host}:${endpoint.port}`
  const breaker = createBreaker(clock)
  const latency = createLatency(clock)
  const stopping = new AbortController()
  let connection: Connection | undefined
  let generation = 0
  let heads = 0
  let head: Head | undefined
  let archival = false
  let lastError: Error | undefined
  let refusal: TonlithError | undefined
  let refusals = 0
  let rtt: number | undefined
  let started = false

  const send = async (bytes: Buffer, timeoutMs: number, signal: StopSignal): Promise<Buffer> => {
    if (!connection) throw new ConnectionError(`liteserver ${name}: not connected`, 'connect')
    return await connection.query(bytes, { timeoutMs, signal })
  }

  /** Questions of our own, which keep the connection going: they pass the breaker by. */
  const housekeeping =
    (signal: AbortSignal): Query =>
    async (method, args, { wait, timeoutMs } = {}) => {
      const bytes = questionBytes(method, args, { wait })
      return decodeAnswer(method, await send(bytes, timeoutMs ?? QUERY_TIMEOUT_MS, signal))
    }

  const open = async (): Promise<{ session: AbortController; opened: Connection }> => {
    const session = new AbortController()
    const opened = await options.connect(endpoint, {
      ...CONNECTION_DEFAULTS,
      onClose: (error) => {
        lastError = error
        connection = undefined
        session.abort()
        breaker.fail()
        options.changed()
      },
      onPong: (ms) => {
        rtt = ms
      },
    })
    if (stopping.signal.aborted) opened.close()
    return { session, opened }
  }

  const probe = async (signal: AbortSignal): Promise<void> => {
    try {
      const by = { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: options.archivalSeqno }
      const { id } = await lookupBlock(housekeeping(signal), by)
      archival = id.seqno === options.archivalSeqno
    } catch (error) {
      if (isTonlithError(error, 'liteserver')) archival = false
    }
  }

  const keepProbing = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await clock.sleep(ARCHIVAL_PROBE_MS, signal)
      await probe(signal)
      options.changed()
    }
  }

  /** Takes a head, or keeps why it is not taken: a server that cannot prove its head stays offline. */
  const acceptHead = async (next: Head, signal: AbortSignal): Promise<void> => {
    try {
      await options.accept(next, housekeeping(signal))
    } catch (cause) {
      if (!isTonlithError(cause, 'liteserver') && !isFault(cause)) throw cause
      const { kind, message } = cause as TonlithError
      lastError = new TonlithError(kind, `its head ${blockIdText(next.id)} is not proven: ${message}`, { cause })
      throw lastError
    }
  }

  const accept = async (next: Head, { signal }: AbortController): Promise<void> => {
    await acceptHead(next, signal)
    if (!head) {
      await probe(signal)
      void keepProbing(signal)
    }
    if (signal.aborted) return
    if (!head) breaker.revive()
    head = next
    heads++
    refusal = undefined
    refusals = 0
    options.changed()
  }

  const live = async (): Promise<void> => {
    const startedAt = clock.monotonic()
    const { session, opened } = await open()
    rtt ??= clock.monotonic() - startedAt
    try {
      connection = opened.closed ? undefined : opened
      generation++
      await followHead({
        query: housekeeping(session.signal),
        clock,
        zeroState: options.zeroState,
        accept: (next) => accept(next, session),
        signal: session.signal,
      })
    } finally {
      head = undefined
      opened.close()
      session.abort()
    }
  }

  const note = (error: unknown): void => {
    if (!isTonlithError(error, 'unavailable')) lastError = error as Error
    if (isFault(error)) {
      refuse()
      blame(error)
    }
    if (isTonlithError(error, 'invalid'))
      refusal = new TonlithError('invalid', `liteserver ${name}: ${error.message}`, { cause: error })
    if (!(error instanceof ConnectionError)) return
    refusals = error.keyRefused ? refusals + 1 : 0
    if (refusals >= KEY_REFUSALS)
      refusal = new TonlithError(
        'invalid',
        `liteserver ${name} (liteservers[${options.index}] of the global config) does not own the key ` +
          `${endpoint.key.toString('base64')}: it hangs up on the handshake`,
      )
  }

  const keepAlive = async (): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const before = heads
      try {
        await live()
      } catch (error) {
        note(error)
      }
      if (heads > before) attempt = 0
      options.changed()
      await clock.sleep(backoffMs(attempt, { ...RECONNECT, random: options.random }), stopping.signal)
    }
  }

  const refuse = (): void => {
    breaker.fail()
    options.observeFault({ index: options.index, banned: false })
  }

  const blame = (error: unknown): void => {
    lastError = error as Error
    breaker.trip(BLAME_MS)
    options.observeFault({ index: options.index, banned: true })
    options.changed()
  }

  const server: Server = {
    index: options.index,
    name,
    breaker,
    latency,
    refuse,
    blame,
    query: (bound) =>
      boundQuery({ index: options.index, name, clock, breaker, latency, send, observe: options.observe }, bound),
    get generation() {
      return generation
    },
    get online() {
      return head !== undefined && connection !== undefined
    },
    get head() {
      return head
    },
    get archival() {
      return archival
    },
    get inFlight() {
      return connection?.inFlight ?? 0
    },
    get expectedMs() {
      const idle = rtt ?? UNKNOWN_MS
      if (latency.mean === undefined) return idle
      return idle + (latency.mean - idle) * Math.exp(-(clock.monotonic() - latency.lastAt) / SAMPLE_LIFE_MS)
    },
    get lastError() {
      return lastError
    },
    get refusal() {
      return refusal
    },
    start: () => {
      if (started) return
      started = true
      void keepAlive()
    },
    stop: () => {
      stopping.abort()
      connection?.close()
    },
  }
  return server
}
