import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { jsonReply, type Reply, type ReplyHeaders } from '../reply.ts'
import { callFailure, type Failure, failureHeaders } from '../v2/errors.ts'

/** The body of every failure of API v3: the published schema's fields (contracts/v3.md 1.5, 19 #2). */
export const refuse = ({ status, error }: Failure, headers: ReplyHeaders = {}): Reply =>
  jsonReply(status, JSON.stringify({ error, code: status }), { ...failureHeaders(status), ...headers })

/** The failure of a call below /api/emulate/v1: a request that cannot be used has status 400 (contracts/v3.md 16). */
export const emulateFailure = ({ status, error }: Failure): Failure =>
  status === 422 ? { status: 400, error: `invalid request: ${error}` } : { status, error }

/**
 * What went wrong in a call, for the log: a question for too many rows of the index (`readsIndex`), and less time than the
 * server gives (`hurried`), are the caller's fault.
 */
export const callError = (
  error: unknown,
  { readsIndex, hurried }: { readsIndex: boolean; hurried: boolean },
): unknown => {
  const isCallers = (readsIndex && isTonlithError(error, 'limit')) || (hurried && isTonlithError(error, 'timeout'))
  return isCallers && isTonlithError(error) ? new TonlithError('invalid', error.message, { cause: error }) : error
}

/** The failure of what the index was asked. A question that it would have to look at too many rows for is the caller's. */
export const indexFailure = (error: unknown): Failure => {
  if (!isTonlithError(error)) return { status: 500, error: 'internal error' }
  switch (error.kind) {
    case 'limit':
      return { status: 422, error: error.message }
    case 'timeout':
      return { status: 504, error: 'no answer in time' }
    case 'unavailable':
      return { status: 503, error: error.code === undefined ? 'the index cannot be read now' : error.message }
    case 'malformed':
      return { status: 503, error: 'the index is damaged: /status tells why' }
    case 'proof':
      return { status: 500, error: 'internal error' }
    default:
      return callFailure(error)
  }
}
