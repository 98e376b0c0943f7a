import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { createStop, type StopSignal } from '../common/stop.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../ton/tl/schema.ts'
import type { Breaker, Outcome } from './breaker.ts'
import { queryTimeout } from './connection-error.ts'
import { isMomentary } from './failures.ts'
import type { Latency } from './latency.ts'
import type { Query } from './query.ts'

/** What became of one question, for metrics. */
export interface QueryEvent {
  /** Position of the server in the global config. */
  index: number
  method: LiteServerMethod
  ms: number
  outcome: 'ok' | 'liteserver' | 'timeout' | 'connection' | 'malformed' | 'aborted'
}

/** The server that a question goes to. */
export interface Target {
  index: number
  /** `host:port`. */
  name: string
  clock: Clock
  breaker: Breaker
  latency: Latency
  /** One exchange of bytes; the errors of `Connection.query`. */
  send(bytes: Buffer, timeoutMs: number, signal: StopSignal): Promise<Buffer>
  observe(event: QueryEvent): void
}

export interface BoundOptions {
  /** Milliseconds for each question that does not set its own. */
  timeoutMs(): number
  /** Ends the question; with a `timeout` error as the reason the server was too slow, otherwise nobody wants the answer. */
  signal: StopSignal
  /** After how many milliseconds without an answer `slow` is called; never for a question with a wait prefix. */
  slowMs(method: LiteServerMethod): number | undefined
  slow(): void
}

const outcomeOf = (error: unknown, signal: StopSignal): QueryEvent['outcome'] => {
  if (isTonlithError(error, 'liteserver')) return 'liteserver'
  if (isTonlithError(error, 'malformed')) return 'malformed'
  if (signal.aborted && !isTonlithError(signal.reason, 'timeout')) return 'aborted'
  return isTonlithError(error, 'timeout') ? 'timeout' : 'connection'
}

/** What the outcome says about the server. A broken connection is counted where it breaks, once. */
const verdictOf = (outcome: QueryEvent['outcome'], error: unknown, isSlow: boolean): Outcome => {
  if (outcome === 'ok') return 'success'
  if (outcome === 'liteserver') return isMomentary(error as TonlithError) ? 'failure' : 'success'
  if (outcome === 'connection' || (outcome === 'aborted' && !isSlow)) return 'unknown'
  return 'failure'
}

/** TL bytes of a question. */
export const questionBytes: (...args: Parameters<Query>) => Buffer = (method, args, options) =>
  encodeQuery({ _: method, ...args } as unknown as LiteRequest, options?.wait)

/** Questions to one server on behalf of one attempt: they pass its breaker, and are measured. */
export const boundQuery =
  ({ index, name, clock, breaker, latency, send, observe }: Target, bound: BoundOptions): Query =>
  async (method, args, options) => {
    const bytes = questionBytes(method, args, options)
    if (bound.signal.aborted) throw queryTimeout()
    const leave = breaker.enter()
    if (!leave) throw new TonlithError('unavailable', `liteserver ${name}: left alone after failures`)

    const startedAt = clock.monotonic()
    let isSlow = false
    const slowMs = options?.wait ? undefined : bound.slowMs(method)
    const done = slowMs === undefined ? undefined : createStop()
    if (slowMs !== undefined)
      void clock.sleep(slowMs, done?.signal).then(() => {
        if (done?.signal.aborted) return
        isSlow = true
        bound.slow()
      })

    const settle = (outcome: QueryEvent['outcome'], error?: unknown): void => {
      done?.abort()
      const ms = clock.monotonic() - startedAt
      const isSample = outcome === 'aborted' ? ms > (latency.mean ?? 0) : outcome !== 'connection'
      if (isSample && !options?.wait) latency.add(ms)
      leave(verdictOf(outcome, error, isSlow))
      observe({ index, method, ms, outcome })
    }
    try {
      const timeoutMs = Math.max(1, Math.min(bound.timeoutMs(), options?.timeoutMs ?? Number.POSITIVE_INFINITY))
      const answer = decodeAnswer(method, await send(bytes, timeoutMs, bound.signal))
      settle('ok')
      return answer
    } catch (error) {
      settle(outcomeOf(error, bound.signal), error)
      throw error
    }
  }
