import type { Logger } from '../../common/logger.ts'
import type { Exchange } from '../exchange.ts'

/** Writes the line of a finished request. */
export type RequestLog = (exchange: Exchange, status: number, milliseconds: number) => void

const fieldsOf = (exchange: Exchange, status: number, milliseconds: number): Record<string, unknown> => ({
  verb: exchange.request.method,
  route: exchange.route,
  ...(exchange.method === '' ? {} : { method: exchange.method }),
  ...(exchange.keyName === '' ? {} : { caller: exchange.keyName }),
  status,
  ms: Math.round(milliseconds * 1000) / 1000,
  ...(exchange.error === undefined ? {} : { err: exchange.error }),
})

/**
 * A line for each request that failed on the server's side (5xx, `warn`) and, where `all`, for every other one (`info`).
 * The query and the body stay out of it; they can hold keys.
 */
export const createRequestLog =
  (logger: Logger, all: boolean): RequestLog =>
  (exchange, status, milliseconds) => {
    if (status >= 500) logger.warn(fieldsOf(exchange, status, milliseconds), 'request failed')
    else if (all) logger.info(fieldsOf(exchange, status, milliseconds), 'request')
  }
