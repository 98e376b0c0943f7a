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
  /** What went wrong inside, for the log only. */
  error: unknown
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
  error: undefined,
})
