import type { Clock } from '../../common/clock.ts'
import { TonlithError } from '../../common/errors.ts'
import { type Json, stringifyJson } from '../../common/lossless-json.ts'
import type { Exchange } from '../exchange.ts'
import { within } from '../middleware/timeout.ts'
import { jsonReply, type Replied, type Reply } from '../reply.ts'
import { createResponseCache } from '../response-cache.ts'
import { type Dialect, type Neutral, render } from './dialect.ts'
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
  const textOf = (result: Neutral): string => stringifyJson(render(result, dialect))
  // A method that has its result at hand may give the same object again; its text is then written once.
  const texts = new WeakMap<object, string>()
  const knownTextOf = (result: Neutral): string =>
    typeof result === 'object' && result !== null
      ? texts.getOrInsertComputed(result, () => textOf(result))
      : textOf(result)
  const finish = async (result: Promise<Neutral>, onLate: () => void): Promise<string> => {
    underWay++
    try {
      return textOf(await within(requestMs, result, onLate))
    } finally {
      underWay--
    }
  }
  return (call: PreparedCall<C>): string | Promise<string> => {
    if (underWay >= maxCalls) throw new TonlithError('unavailable', 'too many calls under way')
    let controller: AbortController | undefined
    const result = call.run({
      chain,
      get signal() {
        controller ??= new AbortController()
        return controller.signal
      },
    })
    return result instanceof Promise ? finish(result, () => controller?.abort()) : knownTextOf(result)
  }
}

/** Makes the function through which both adapters answer. What needs nobody is answered without a turn of the loop. */
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

  const failCall = (exchange: Exchange, request: CallRequest<C>, error: unknown): Reply => {
    exchange.error = error
    return fail(exchange, request, callFailure(error))
  }

  const start = (call: PreparedCall<C>): string | Promise<string> =>
    call.cacheSeconds === undefined ? run(call) : cache.share(call.key, call.cacheSeconds, async () => run(call))

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
    try {
      const started = start(call)
      if (typeof started === 'string') return succeed(exchange, request, started, false)
      return started.then(
        (text) => succeed(exchange, request, text, false),
        (error) => failCall(exchange, request, error),
      )
    } catch (error) {
      return failCall(exchange, request, error)
    }
  }
}
