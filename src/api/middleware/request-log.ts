import type { Clock } from '../../common/clock.ts'
import { type ErrorKind, isTonlithError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import type { Exchange } from '../exchange.ts'
import { HUNG_UP } from './timeout.ts'

/** Writes the line of a finished request. */
export type RequestLog = (exchange: Exchange, status: number, milliseconds: number) => void

const CALLERS: ReadonlySet<ErrorKind> = new Set(['invalid', 'notFound', 'conflict', 'unsupported', 'liteserver'])
/** Lines of failures that are written within WINDOW_MS; the next window tells how many were left out. */
const MAX_LINES = 20
const WINDOW_MS = 10_000
/** Its 503 is an answer; what keeps the server from being ready has lines of its own. */
const READINESS = '/ready'

const fieldsOf = (exchange: Exchange, status: number, milliseconds: number): Record<string, unknown> => ({
  ...(exchange.requestId === '' ? {} : { request_id: exchange.requestId }),
  verb: exchange.request.method,
  route: exchange.route,
  ...(exchange.method === '' ? {} : { method: exchange.method }),
  ...(exchange.keyName === '' ? {} : { caller: exchange.keyName }),
  status,
  ms: Math.round(milliseconds * 1000) / 1000,
  ...(exchange.error === undefined ? {} : { err: exchange.error }),
})

/** Whether an error is one that a caller can bring about at will: such must not fill the log. */
export const isCallersFault = (error: unknown): boolean =>
  isTonlithError(error) && (CALLERS.has(error.kind) || error.code === HUNG_UP)

/**
 * Whether the server, its liteservers or its limits failed, and not the question: an unknown block or a message that is
 * refused has a status of 5xx as well. A batch has status 200 and can hold failed calls.
 */
const isServersFault = ({ error, route }: Exchange, status: number): boolean => {
  if (error === undefined) return status >= 500 && route !== READINESS
  return !isCallersFault(error)
}

/**
 * A line for each request that failed on the server's side (`warn`, a bounded number of them), and one for every other
 * request where `all` (`info`). The query and the body stay out of it; they can hold keys.
 */
export const createRequestLog = (logger: Logger, all: boolean, clock: Clock): RequestLog => {
  let windowEnd = Number.NEGATIVE_INFINITY
  let lines = 0
  let leftOut = 0

  const mayWrite = (): boolean => {
    const now = clock.monotonic()
    if (now >= windowEnd) {
      windowEnd = now + WINDOW_MS
      lines = 0
    }
    return ++lines <= MAX_LINES
  }

  return (exchange, status, milliseconds) => {
    if (!isServersFault(exchange, status)) {
      if (all) logger.info(fieldsOf(exchange, status, milliseconds), 'request')
    } else if (all || mayWrite()) {
      const more = leftOut > 0 ? { left_out: leftOut } : {}
      leftOut = 0
      logger.warn({ ...fieldsOf(exchange, status, milliseconds), ...more }, 'request failed')
    } else leftOut++
  }
}
