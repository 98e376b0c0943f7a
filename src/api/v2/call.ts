import type { Clock } from '../../common/clock.ts'
import type { Json } from '../../common/lossless-json.ts'
import type { StopSignal } from '../../common/stop.ts'
import type { Exchange } from '../exchange.ts'
import type { Patience } from '../middleware/timeout.ts'
import { jsonReply, type Replied, type Reply } from '../reply.ts'
import { createResponseCache } from '../response-cache.ts'
import type { Dialect } from './dialect.ts'
import { echoedExtra, failureText, generatedExtra, type RpcEcho, successText } from './envelope.ts'
import { callFailure, type Failure, failureHeaders, requestError } from './errors.ts'
import type { PreparedCall } from './method.ts'
import { createRunner, type RunnerDeps } from './runner.ts'

/** What answering calls takes. */
export interface CallDeps<C> extends RunnerDeps<C> {
  readonly clock: Clock
  /** Milliseconds that an answer may take before the caller gets 504. */
  readonly requestMs: number
  /** Bytes of stored answers; 0 = store none. */
  readonly cacheBytes: number
}

/** One request for a method, freed of the form it came in. */
export interface CallRequest<C> {
  /** The method's name. */
  readonly name: string
  /** Reads and checks the parameters. */
  prepare(): PreparedCall<C>
  /** The `@extra` that the caller sent. */
  readonly extra: Json | undefined
  /** Given for JSON-RPC. */
  readonly rpc?: RpcEcho
  /** Monotonic milliseconds at which the answer must be there; `requestMs` from now on where it is not given. */
  readonly deadline?: number
}

/** Answers one call in a dialect, from its parameters to the envelope. */
export type Caller<C> = (exchange: Exchange, request: CallRequest<C>) => Replied

/** Makes the function through which both adapters answer. What needs nobody is answered without a turn of the loop. */
export const createCaller = <C>(deps: CallDeps<C>, dialect: Dialect): Caller<C> => {
  const { clock, requestMs } = deps
  const run = createRunner(deps, dialect)
  const cache = createResponseCache(deps.cacheBytes, clock)

  const extraText = (exchange: Exchange, extra: Json | undefined, cached: boolean): string =>
    echoedExtra(extra) ?? generatedExtra(clock.now(), clock.monotonic() - exchange.startedAt, cached)

  const succeed = (exchange: Exchange, request: CallRequest<C>, text: string, cached: boolean): Reply =>
    jsonReply(200, successText(text, extraText(exchange, request.extra, cached), request.rpc))

  const fail = (exchange: Exchange, request: CallRequest<C>, { status, error }: Failure): Reply => {
    const text = failureText(status, error, extraText(exchange, request.extra, false), request.rpc)
    return jsonReply(status, text, failureHeaders(status))
  }

  const failCall = (exchange: Exchange, request: CallRequest<C>, error: unknown): Reply => {
    exchange.error = error
    return fail(exchange, request, callFailure(error))
  }

  /** A shared run has its full time, whoever started it; each who waits for it has their own. */
  const start = (call: PreparedCall<C>, patience: () => Patience): string | Promise<string> => {
    if (call.cacheSeconds === undefined) return run(call, patience)
    const make = async (signal: StopSignal): Promise<string> =>
      run(call, () => ({ ms: requestMs, signal: () => signal }))
    return cache.share(call.key, call.cacheSeconds, make, patience())
  }

  return (exchange, request) => {
    exchange.method = request.name
    let call: PreparedCall<C>
    try {
      call = request.prepare()
    } catch (error) {
      return failCall(exchange, request, requestError(error))
    }
    const stored = call.cacheSeconds === undefined ? undefined : cache.get(call.key)
    if (stored !== undefined) return succeed(exchange, request, stored, true)
    const { deadline } = request
    const patience = (): Patience => ({
      ms: deadline === undefined ? requestMs : Math.max(0, deadline - clock.monotonic()),
      signal: () => exchange.request.signal,
    })
    try {
      const started = start(call, patience)
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
