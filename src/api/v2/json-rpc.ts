import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import type { Exchange } from '../exchange.ts'
import { jsonReply, type Reply } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { fieldOf, type JsonObject, paramsIn, takeObject } from './body.ts'
import type { Caller } from './call.ts'
import { echoedExtra, failureText, NO_EXTRA, type RpcEcho } from './envelope.ts'
import { type Failure, requestFailure } from './errors.ts'
import type { Method } from './method.ts'
import { refuseBody } from './rest.ts'

/** `jsonrpc` and `id` come back when the caller sent either (contracts/v2.md 1.8). */
const echoOf = (body: JsonObject): RpcEcho | undefined => {
  const id = fieldOf(body, 'id')
  if (id === undefined && fieldOf(body, 'jsonrpc') === undefined) return undefined
  return id === undefined ? {} : { id }
}

/** An object as it is; nothing, null, an empty list or a scalar as `{}`; a filled list is refused. */
const paramsOf = (sent: Json | undefined): JsonObject => {
  if (isJsonObject(sent)) return sent
  if (Array.isArray(sent) && sent.length > 0) throw new TonlithError('invalid', 'params must contain an object')
  return {}
}

/** What is wrong with the request; notFound only for an unknown method. */
const failureOf = (error: unknown): Failure =>
  isTonlithError(error, 'notFound') ? { status: 404, error: error.message } : requestFailure(error)

/**
 * POST /jsonRPC: `{method, params}` with `params` a dictionary, dispatched in process from the method table. Batches are
 * refused. All keys but `method`, `params`, `id`, `jsonrpc` and `@extra` are ignored.
 */
export const answerJsonRpc = async <C>(
  call: Caller<C>,
  methods: ReadonlyMap<string, Method<C>>,
  exchange: Exchange,
  read: BodyReader,
): Promise<Reply> => {
  const taken = await takeObject(exchange.request, { read, emptyIsObject: false })
  if ('failure' in taken) return refuseBody(taken.failure)
  const body = taken.object
  const rpc = echoOf(body)
  const rpcPart = rpc ? { rpc } : {}
  try {
    const name = fieldOf(body, 'method')
    if (typeof name !== 'string') throw new TonlithError('invalid', 'method must be a string')
    const method = methods.get(name)
    if (!method) throw new TonlithError('notFound', 'Unknown method')
    const params = paramsOf(fieldOf(body, 'params'))
    const extra = fieldOf(body, '@extra') ?? fieldOf(params, '@extra')
    return await call(exchange, { method, source: paramsIn(params), extra, ...rpcPart })
  } catch (error) {
    const failure = failureOf(error)
    const extra = echoedExtra(fieldOf(body, '@extra')) ?? NO_EXTRA
    return jsonReply(failure.status, failureText(failure.status, failure.error, extra, rpc))
  }
}
