import type { Clock } from '../../common/clock.ts'
import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import type { Exchange } from '../exchange.ts'
import { isCallersFault } from '../middleware/request-log.ts'
import { jsonReply, type Replied, type Reply } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { batchText, MAX_BATCH_CALLS } from './batch.ts'
import { fieldOf, type JsonObject, paramsIn, takeJson } from './body.ts'
import type { Caller } from './call.ts'
import { echoedExtra, failureText, NO_EXTRA, type RpcEcho } from './envelope.ts'
import { callFailure, type Failure, failureHeaders, requestFailure } from './errors.ts'
import type { Method } from './method.ts'
import { refuse, refuseBody } from './rest.ts'

/** What answering JSON-RPC takes. */
export interface JsonRpcDeps<C> {
  readonly call: Caller<C>
  readonly methods: ReadonlyMap<string, Method<C>>
  readonly readBody: BodyReader
  readonly clock: Clock
  /** Milliseconds that an answer may take, a batch's as well as a single one. */
  readonly requestMs: number
  /** Counts the calls of a batch for its caller; gives the refusal when they are too many. */
  admitBatch(exchange: Exchange, calls: number): Reply | undefined
}

/** The method that log and metrics name for a batch. */
const BATCH = 'batch'
/** Characters of a batch's answers; the entries after them are refused. */
const MAX_BATCH_TEXT = 4 << 20

const TOO_LONG: Failure = { status: 422, error: `batch of more than ${MAX_BATCH_CALLS} calls` }
const EMPTY: Failure = { status: 422, error: 'batch must not be empty' }
const NO_REQUEST: Failure = { status: 422, error: 'request must be an object' }
const TOO_LARGE: Failure = { status: 413, error: 'the answers to this batch are too large: ask for less at a time' }
const LATE: Failure = callFailure(new TonlithError('timeout', 'the time of the batch is over'))

/**
 * `jsonrpc` and `id` come back when the caller sent either (contracts/v2.md 1.8). JSON-RPC has no ids that are lists or
 * objects: null stands for them.
 */
const echoOf = (body: JsonObject): RpcEcho | undefined => {
  const id = fieldOf(body, 'id')
  if (id === undefined && fieldOf(body, 'jsonrpc') === undefined) return undefined
  return id === undefined ? {} : { id: typeof id === 'object' ? null : id }
}

/** An object as it is; nothing, null, an empty list or a scalar as `{}`; a filled list is refused. */
const paramsOf = (sent: Json | undefined): JsonObject => {
  if (isJsonObject(sent)) return sent
  if (Array.isArray(sent) && sent.length > 0) throw new TonlithError('invalid', 'params must contain an object')
  return {}
}

/** `@extra` stands beside the params or among them. */
const extraOf = (body: JsonObject): Json | undefined => {
  const params = fieldOf(body, 'params')
  return fieldOf(body, '@extra') ?? (isJsonObject(params) ? fieldOf(params, '@extra') : undefined)
}

/** What is wrong with the request; notFound only for an unknown method. */
const failureOf = (error: unknown): Failure =>
  isTonlithError(error, 'notFound') ? { status: 404, error: error.message } : requestFailure(error)

const refuseRequest = ({ status, error }: Failure, request: Json): Reply => {
  const body = isJsonObject(request) ? request : {}
  const text = failureText(status, error, echoedExtra(extraOf(body)) ?? NO_EXTRA, echoOf(body))
  return jsonReply(status, text, failureHeaders(status))
}

const answerRequest = <C>(
  { call, methods }: JsonRpcDeps<C>,
  exchange: Exchange,
  body: JsonObject,
  deadline?: number,
): Replied => {
  const rpc = echoOf(body)
  try {
    const name = fieldOf(body, 'method')
    if (typeof name !== 'string') throw new TonlithError('invalid', 'method must be a string')
    const method = methods.get(name)
    if (!method) throw new TonlithError('notFound', 'Unknown method')
    const source = paramsIn(paramsOf(fieldOf(body, 'params')))
    return call(exchange, {
      name: method.name,
      prepare: () => method.prepare(source),
      extra: extraOf(body),
      ...(rpc && { rpc }),
      ...(deadline !== undefined && { deadline }),
    })
  } catch (error) {
    return refuseRequest(failureOf(error), body)
  }
}

/** A batch has status 200 once its calls are admitted; each entry has the `code` that it would have alone. */
const answerBatch = async <C>(deps: JsonRpcDeps<C>, exchange: Exchange, entries: readonly Json[]): Promise<Reply> => {
  exchange.method = BATCH
  if (entries.length === 0) return refuse(EMPTY)
  if (entries.length > MAX_BATCH_CALLS) return refuse(TOO_LONG)
  const refusal = deps.admitBatch(exchange, entries.length)
  if (refusal) return refusal
  const deadline = deps.clock.monotonic() + deps.requestMs

  const answerEntry = async (entry: Json, textLength: number): Promise<Reply> => {
    if (!isJsonObject(entry)) return refuseRequest(NO_REQUEST, entry)
    if (textLength > MAX_BATCH_TEXT) return refuseRequest(TOO_LARGE, entry)
    if (deps.clock.monotonic() >= deadline || exchange.request.signal.aborted) return refuseRequest(LATE, entry)
    const own: Exchange = { ...exchange }
    const reply = await answerRequest(deps, own, entry, deadline)
    if (exchange.error === undefined || isCallersFault(exchange.error)) exchange.error = own.error ?? exchange.error
    return reply
  }
  return jsonReply(200, await batchText(entries, answerEntry, deps.clock))
}

/**
 * POST /jsonRPC: `{method, params}` with `params` a dictionary, dispatched in process from the method table, or a list of
 * such requests. All keys but `method`, `params`, `id`, `jsonrpc` and `@extra` are ignored.
 */
export const answerJsonRpc = async <C>(deps: JsonRpcDeps<C>, exchange: Exchange): Promise<Reply> => {
  const taken = await takeJson(exchange.request, deps.readBody)
  if ('failure' in taken) return refuseBody(taken.failure)
  const { value } = taken
  if (Array.isArray(value)) return answerBatch(deps, exchange, value)
  if (isJsonObject(value)) return answerRequest(deps, exchange, value)
  return refuse({ status: 422, error: 'body must be an object' })
}
