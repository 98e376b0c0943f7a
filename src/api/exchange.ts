import { type Query, queryOf } from './query.ts'

/** One request on its way through the API, with what the log and the metrics will want to know about it. */
export interface Exchange {
  readonly request: Request
  readonly query: Query
  /** Monotonic milliseconds at its arrival. */
  readonly startedAt: number
  /** The pattern of the path, never the path itself: "/api/v2/:method". */
  readonly route: string
  /** The name of the v2 method that it reached; empty for all else. */
  method: string
  /** The name of the caller's key; empty without one. */
  keyName: string
  /** The plan of the caller's key; empty without one. */
  plan: string
  /** What the caller calls this request (X-Request-Id), or what we call it once it failed; empty where nobody does. */
  requestId: string
  /** What went wrong inside, for the log only. */
  error: unknown
}

/** Longer ids, and those with other characters, are none: they go into a header and the log. */
const REQUEST_ID = /^[\w.:+/=-]{1,128}$/

const sentId = ({ headers }: Request): string => {
  const sent = headers.get('x-request-id')
  return sent !== null && REQUEST_ID.test(sent) ? sent : ''
}

/** Starts an exchange at `startedAt` (monotonic milliseconds). */
export const createExchange = (request: Request, route: string, startedAt: number): Exchange => ({
  request,
  query: queryOf(request.url),
  startedAt,
  route,
  method: '',
  keyName: '',
  plan: '',
  requestId: sentId(request),
  error: undefined,
})
