import type { Clock } from '../../common/clock.ts'
import { TonlithError } from '../../common/errors.ts'
import { type Json, stringifyJson } from '../../common/lossless-json.ts'
import type { Exchange } from '../exchange.ts'
import { withDeadline } from '../middleware/timeout.ts'
import { jsonReply, type Replied, type Reply } from '../reply.ts'
import { createResponseCache } from '../response-cache.ts'
import { type Dialect, render } from './dialect.ts'
import { echoedExtra, failureText, generatedExtra, type RpcEcho, successText } from './envelope.ts'
import { callFailure, type Failure, requestFailure } from './errors.ts'
import type { Method, ParamSource, PreparedCall } from './method.ts'

/** What answering calls takes. */
export interface CallDeps<C> {
  readonly chain: C
  readonly clock: Clock
  /** Milliseconds that an answer may take before the caller gets 504. */
  readonly requestMs: number
  /** Calls that may be under way at once; more are refused with 503. */
  readonly maxCalls: number
  /** Bytes of stored answers; 0 = store none. */
  readonly cacheBytes: number
}

/** One request for a method, freed of the form it came in. */
export interface CallRequest<C> {
  readonly method: Method<C>
  readonly source: ParamSource
  /** The `@extra` that the caller sent. */
  readonly extra: Json | undefined
  /** Given for JSON-RPC. */
  readonly rpc?: RpcEcho
}

/** Answers one call in a dialect, from its parameters to the envelope. */
export type Caller<C> = (exchange: Exchange, request: CallRequest<C>) => Replied

/** Runs prepared calls: within the deadline, not too many at once, to the JSON text of the result. */
const createRunner = <C>({ chain, requestMs, maxCalls }: CallDeps<C>, dialect: Dialect) => {
  let underWay = 0
  return async (call: PreparedCall<C>): Promise<string> => {
    if (underWay >= maxCalls) throw new TonlithError('unavailable', 'too many calls under way')
    underWay++
    try {
      const result = await withDeadline(requestMs, (signal) => call.run({ chain, signal }))
      return stringifyJson(render(result, dialect))
    } finally {
      underWay--
    }
  }
}

/** Makes the function through which both adapters answer. Stored answers are given without a turn of the event loop. */
export const createCaller = <C>(deps: CallDeps<C>, dialect: Dialect): Caller<C> => {
  const { clock } = deps
  const run = createRunner(deps, dialect)
  const cache = createResponseCache(deps.cacheBytes, clock)

  const extraText = (exchange: Exchange, extra: Json | undefined, cached: boolean): string =>
    echoedExtra(extra) ?? generatedExtra(clock.now(), clock.monotonic() - exchange.startedAt, cached)

  const succeed = (exchange: Exchange, request: CallRequest<C>, text: string, cached: boolean): Reply =>
    jsonReply(200, successText(text, extraText(exchange, request.extra, cached), request.rpc))

  const fail = (exchange: Exchange, request: CallRequest<C>, { status, error }: Failure): Reply =>
    jsonReply(status, failureText(status, error, extraText(exchange, request.extra, false), request.rpc))

  const runAndReply = async (exchange: Exchange, request: CallRequest<C>, call: PreparedCall<C>): Promise<Reply> => {
    const { key, cacheSeconds } = call
    try {
      const text = await (cacheSeconds === undefined ? run(call) : cache.share(key, cacheSeconds, () => run(call)))
      return succeed(exchange, request, text, false)
    } catch (error) {
      exchange.error = error
      return fail(exchange, request, callFailure(error))
    }
  }

  return (exchange, request) => {
    exchange.method = request.method.name
    let call: PreparedCall<C>
    try {
      call = request.method.prepare(request.source)
    } catch (error) {
      return fail(exchange, request, requestFailure(error))
    }
    const stored = call.cacheSeconds === undefined ? undefined : cache.get(call.key)
    if (stored !== undefined) return succeed(exchange, request, stored, true)
    return runAndReply(exchange, request, call)
  }
}
