import type { Exchange } from '../exchange.ts'
import { type Refusal, refusalHeaders } from '../middleware/admission.ts'
import { jsonReply, type Replied, type Reply, type ReplyHeaders } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { fieldOf, paramsIn, takeObject } from './body.ts'
import type { Caller } from './call.ts'
import type { Dialect } from './dialect.ts'
import { echoedExtra, failureText, NO_EXTRA } from './envelope.ts'
import { bodyFailureHeaders, type Failure } from './errors.ts'
import type { Method } from './method.ts'

/** An envelope for a failure that no method worked on; `extra` is the `@extra` that the caller sent in the query. */
export const refuse = ({ status, error }: Failure, headers?: ReplyHeaders, extra?: string): Reply =>
  jsonReply(status, failureText(status, error, echoedExtra(extra) ?? NO_EXTRA), headers)

/**
 * As refuse, for a caller who may not pass now or at all. Where the public server's documentation shows the text of 429 in
 * `result`, its dialect has it there too; the specification allows no field beside its own.
 */
export const refuseCaller = (refusal: Refusal, dialect: Dialect, extra?: string): Reply => {
  const { status, error } = refusal
  const headers = refusalHeaders(refusal)
  if (status !== 429 || dialect === 'spec') return refuse({ status, error }, headers, extra)
  const text = JSON.stringify({ ok: false, error, code: status, result: error })
  return jsonReply(status, `${text.slice(0, -1)},"@extra":${echoedExtra(extra) ?? NO_EXTRA}}`, headers)
}

/** As refuse, for a body that cannot be used. */
export const refuseBody = (failure: Failure): Reply => refuse(failure, bodyFailureHeaders(failure.status))

/** GET: parameters from the query. */
export const answerGet = <C>(call: Caller<C>, method: Method<C>, exchange: Exchange): Replied =>
  call(exchange, {
    name: method.name,
    prepare: () => method.prepareQuery(exchange.query),
    extra: exchange.query('@extra'),
  })

/** POST: parameters from a JSON body of any content type; the query is ignored. */
export const answerPost = async <C>(
  call: Caller<C>,
  method: Method<C>,
  exchange: Exchange,
  read: BodyReader,
): Promise<Reply> => {
  exchange.method = method.name
  const taken = await takeObject(exchange.request, read)
  if ('failure' in taken) return refuseBody(taken.failure)
  return call(exchange, {
    name: method.name,
    prepare: () => method.prepare(paramsIn(taken.value)),
    extra: fieldOf(taken.value, '@extra'),
  })
}
