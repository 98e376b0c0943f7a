import { jsonReply, type Reply, type ReplyHeaders } from '../reply.ts'
import { type Failure, failureHeaders } from '../v2/errors.ts'

/** The body of every failure of the merchant API. */
export const refuse = ({ status, error }: Failure, headers: ReplyHeaders = {}): Reply =>
  jsonReply(status, JSON.stringify({ error, code: status }), { ...failureHeaders(status), ...headers })
