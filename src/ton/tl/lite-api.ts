import { TonlithError } from '../../common/errors.ts'
import { decode, decodeCall, decodePrefix, encode } from './codec.ts'
import { boxOf, readBox } from './plan.ts'
import { readEnd, readerOf, readId } from './reader.ts'
import { CONSTRUCTORS, FUNCTIONS, type LiteServerMethod } from './schema.ts'
import type { Answer, Boxed, Call } from './types.ts'

/** A question to a liteserver: the method's name in `_` and its arguments. */
export type LiteRequest<M extends LiteServerMethod = LiteServerMethod> = Call<M>
/** The answer to a question. */
export type LiteAnswer<M extends LiteServerMethod = LiteServerMethod> = Answer<M>

/** Ask the server to answer only when it has the masterchain block, or to fail (code 652) after `timeout_ms`. */
export interface Wait {
  seqno: number
  timeout_ms: number
}

const ERROR_ID = CONSTRUCTORS['liteServer.error'].id

/** Bytes of `liteServer.query` around an optional `waitMasterchainSeqno` and the question. */
export const encodeQuery = (request: LiteRequest, wait?: Wait): Buffer => {
  const question = encode(request)
  const prefix = wait && encode({ _: 'liteServer.waitMasterchainSeqno', ...wait })
  return encode({ _: 'liteServer.query', data: prefix ? Buffer.concat([prefix, question]) : question })
}

/**
 * Reads the answer to `method`. Throws kind `liteserver` with the server's code and text when the answer is
 * liteServer.error, and `malformed` when it is no answer to this method.
 */
export const decodeAnswer = <M extends LiteServerMethod>(method: M, bytes: Buffer): LiteAnswer<M> => {
  const r = readerOf(bytes)
  const isError = readId(r) === ERROR_ID
  r.at = 0
  const value = readBox(boxOf(isError ? 'liteServer.Error' : FUNCTIONS[method].type), r)
  readEnd(r)
  if (isError) throw new TonlithError('liteserver', String(value['message']), { code: Number(value['code']) })
  return value as unknown as LiteAnswer<M>
}

/** Bytes of an answer. */
export const encodeAnswer = <M extends LiteServerMethod>(answer: LiteAnswer<M>): Buffer => encode(answer)

/** Bytes of liteServer.error. */
export const encodeError = (code: number, message: string): Buffer => encode({ _: 'liteServer.error', code, message })

/**
 * What stands inside of `liteServer.query` (or behind `liteServer.queryPrefix`); undefined for anything else: a node
 * leaves such a query without an answer.
 */
export const unwrapQuery = (bytes: Buffer): Buffer | undefined => {
  const query = decodePrefix('liteServer.query', bytes)
  if (query) return query.rest.length === 0 ? query.call.data : undefined
  return decodePrefix('liteServer.queryPrefix', bytes)?.rest
}

/**
 * Reads what stood inside of `liteServer.query`: a `waitMasterchainSeqno` prefix, if there is one, then one call that
 * takes all the rest. The call may be one that no liteserver answers (a nested query): check its name. Throws
 * `malformed` with the text of the node's own error (code 0); positions count from behind the prefix, as the node's do.
 */
export const decodeRequest = (data: Buffer): { wait: Wait | undefined; call: Call } => {
  const prefix = decodePrefix('liteServer.waitMasterchainSeqno', data)
  const wait = prefix && { seqno: prefix.call.seqno, timeout_ms: prefix.call.timeout_ms }
  return { wait, call: decodeCall(prefix ? prefix.rest : data) }
}

/** True when a liteserver answers this call. */
export const isLiteRequest = (call: Call): call is LiteRequest =>
  call._.startsWith('liteServer.') && FUNCTIONS[call._].type !== 'Object'

/** ADNL bytes that carry a query. `query_id` are 32 random bytes that the answer repeats. */
export const encodeAdnlQuery = (query_id: Buffer, query: Buffer): Buffer =>
  encode({ _: 'adnl.message.query', query_id, query })

/** ADNL bytes that carry an answer. */
export const encodeAdnlAnswer = (query_id: Buffer, answer: Buffer): Buffer =>
  encode({ _: 'adnl.message.answer', query_id, answer })

const AUTHENTICATION: ReadonlySet<number> = new Set([
  CONSTRUCTORS['tcp.authentificate'].id,
  CONSTRUCTORS['tcp.authentificationNonce'].id,
  CONSTRUCTORS['tcp.authentificationComplete'].id,
])

/** What one ADNL packet carries: a query, an answer, a ping, a pong, or a step by which a client proves its key. */
export type Message = Boxed<'adnl.Message'> | Boxed<'tcp.Pong'> | Boxed<'tcp.Message'> | Call<'tcp.ping'>

/** Reads what one ADNL packet carries. Throws `malformed`. */
export const decodeMessage = (payload: Buffer): Message => {
  const id = payload.length < 4 ? 0 : payload.readUInt32LE(0)
  if (id === FUNCTIONS['tcp.ping'].id) return decodeCall(payload) as Call<'tcp.ping'>
  if (id === CONSTRUCTORS['tcp.pong'].id) return decode('tcp.Pong', payload)
  return AUTHENTICATION.has(id) ? decode('tcp.Message', payload) : decode('adnl.Message', payload)
}
