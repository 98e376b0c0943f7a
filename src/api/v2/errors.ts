import { isTonlithError, TonlithError } from '../../common/errors.ts'
import type { ReplyHeaders } from '../reply.ts'

/** What a caller gets to see of a failure. */
export interface Failure {
  readonly status: number
  readonly error: string
}

/** Seconds after which a server that is too busy, or has nobody to ask, may have room again. */
const RETRY_SECONDS = '1'

/** Headers that a failure's answer has beside those of every answer. */
export const failureHeaders = (status: number): ReplyHeaders | undefined =>
  status === 503 ? { 'retry-after': RETRY_SECONDS } : undefined

const LITE_SERVER_NAMES: ReadonlyMap<number | undefined, string> = new Map([
  [601, 'FAILURE'],
  [602, 'ERROR'],
  [603, 'WARNING'],
  [621, 'PROTOVIOLATION'],
  [651, 'NOTREADY'],
  [652, 'TIMEOUT'],
  [653, 'CANCELLED'],
])
const TIMEOUT: Failure = { status: 504, error: 'LITE_SERVER_NETWORK timeout' }
const CONNECTION_LOST: Failure = { status: 503, error: 'LITE_SERVER_NETWORK connection lost' }
const NO_LITESERVER: Failure = { status: 503, error: 'no liteserver is available' }

/** A liteserver's own words pass through: wallets search them (contracts/v2.md 8.1, 16.1). */
const liteserverFailure = (error: TonlithError): Failure => {
  if (error.code === 652 || error.message === 'timeout') return TIMEOUT
  return { status: 500, error: `LITE_SERVER_${LITE_SERVER_NAMES.get(error.code) ?? 'UNKNOWN'}: ${error.message}` }
}

/** An error that names its HTTP status has words for the caller; any other keeps them inside. */
const ownFailure = ({ code, message }: TonlithError, otherwise: Failure): Failure =>
  code === undefined ? otherwise : { status: code, error: message }

/**
 * The failure of a call. Only words meant for callers leave: those of `invalid`, `notFound`, `conflict`, `unsupported`,
 * of the liteserver itself, and of errors that name an HTTP status; all other kinds have a fixed text. A method that finds a caller's bytes unusable must
 * say so as `invalid`: `malformed` and `limit` mean here that bytes from a server were.
 */
export const callFailure = (error: unknown): Failure => {
  if (!isTonlithError(error)) return { status: 500, error: 'internal error' }
  switch (error.kind) {
    case 'invalid':
      return { status: 422, error: error.message }
    case 'notFound':
      return { status: 404, error: error.message }
    case 'conflict':
      return { status: 409, error: error.message }
    case 'unsupported':
      return { status: error.code ?? 501, error: error.message }
    case 'liteserver':
      return liteserverFailure(error)
    case 'timeout':
      return ownFailure(error, TIMEOUT)
    case 'connection':
      return ownFailure(error, CONNECTION_LOST)
    case 'unavailable':
      return ownFailure(error, NO_LITESERVER)
    case 'proof':
    case 'malformed':
    case 'limit':
      return { status: 500, error: 'the answer of the liteserver cannot be used' }
    case 'internal':
      return { status: 500, error: 'internal error' }
  }
}

/** What went wrong in reading a request, as the caller's fault: bytes that do not parse or are too many are `invalid`. */
export const requestError = (error: unknown): unknown =>
  isTonlithError(error, 'malformed') || isTonlithError(error, 'limit')
    ? new TonlithError('invalid', error.message, { cause: error })
    : error

/** The failure of reading a request: its body, its JSON, its parameters. */
export const requestFailure = (error: unknown): Failure => callFailure(requestError(error))

/** Refusals of a body that was not read to its end: the connection must not wait for the rest. */
const UNREAD = new Set([408, 413, 415, 503])

/** Headers of the refusal of a body, beside those of every answer. */
export const bodyFailureHeaders = (status: number): ReplyHeaders | undefined =>
  UNREAD.has(status) ? { connection: 'close', ...failureHeaders(status) } : undefined

/** The failure of receiving a request body. */
export const bodyFailure = (error: unknown): Failure => {
  if (isTonlithError(error, 'limit')) return { status: 413, error: error.message }
  if (isTonlithError(error, 'unsupported')) return { status: 415, error: error.message }
  if (isTonlithError(error, 'timeout')) return { status: 408, error: 'request body timeout' }
  if (isTonlithError(error, 'connection')) return { status: 400, error: error.message }
  if (isTonlithError(error, 'unavailable')) return { status: 503, error: error.message }
  return requestFailure(error)
}
