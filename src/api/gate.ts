import { randomBytes } from 'node:crypto'
import type { Clock } from '../common/clock.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { type Cors, createCors } from './middleware/cors.ts'
import type { RequestMetrics } from './middleware/metrics.ts'
import type { RequestLog } from './middleware/request-log.ts'
import { createOutgoing, LARGE_BYTES } from './outgoing.ts'
import { emptyReply, type Replied, type Reply } from './reply.ts'
import { targetLength } from './request-target.ts'
import { createToResponse } from './response.ts'
import { type Failure, failureHeaders } from './v2/errors.ts'
import { refuse } from './v2/rest.ts'

/** Bytes that a path and its query may have (contracts/v2.md 1.1). The server itself bounds the size of all header fields. */
const MAX_TARGET_BYTES = 8192

/** Bytes of large answers that wait for those who asked for them. */
const MAX_OUTGOING_BYTES = 64 << 20
const NO_ROOM: Failure = { status: 503, error: 'too many large answers under way' }

/** Where a request goes. */
export interface Destination {
  /** The pattern of its path, for log and metrics. */
  readonly route: string
  /** The verbs that the path answers, for preflights: "GET, HEAD, OPTIONS". */
  readonly verbs: string
  /** Bytes that path and query may have, where they are more than usual. */
  readonly maxTargetBytes?: number
  /** True where pages of other origins may neither ask nor read. */
  readonly closed?: boolean
  handle(exchange: Exchange): Replied
}

type Answer = Response | Promise<Response>

/** Takes a request to its destination; what every request needs, whatever its route, happens here. Never throws. */
export type Gate = (request: Request, destination: Destination) => Answer

/** What a gate is made of. */
export interface GateParts {
  readonly clock: Clock
  readonly cors: Cors
  readonly log: RequestLog
  readonly metrics: RequestMetrics
  /** Every request gets an id, as each has a line in the log; otherwise those do that fail, beside those that bring one. */
  readonly identifyAll: boolean
}

const ID_BYTES = 12

/** A reply that tells the id of its request: plain ones, which are most, share their headers and have none. */
const withId = (reply: Reply, id: string): Reply =>
  id === '' ? reply : { ...reply, headers: { ...reply.headers, 'x-request-id': id } }

/** Makes the gate of its parts. */
export const createGate = (parts: GateParts): Gate => {
  const { clock, cors, log, metrics, identifyAll: all } = parts
  const outgoing = createOutgoing(MAX_OUTGOING_BYTES)
  const closedCors = createCors([])
  const toOpen = createToResponse(cors, outgoing)
  const toClosed = createToResponse(closedCors, outgoing)

  const isTooMuch = ({ body }: Reply): boolean =>
    typeof body === 'string' && body.length >= LARGE_BYTES && !outgoing.hasRoom(body.length)

  const finish = (exchange: Exchange, made: Reply, closed: boolean | undefined): Answer => {
    const reply = isTooMuch(made) ? refuse(NO_ROOM, failureHeaders(NO_ROOM.status)) : made
    const milliseconds = clock.monotonic() - exchange.startedAt
    if (exchange.requestId === '' && (all || reply.status >= 500 || exchange.error !== undefined))
      exchange.requestId = randomBytes(ID_BYTES).toString('hex')
    metrics.record(exchange, reply.status, milliseconds / 1000)
    log(exchange, reply.status, milliseconds)
    return (closed ? toClosed : toOpen)(exchange.request, withId(reply, exchange.requestId))
  }

  const crash = (exchange: Exchange, error: unknown, closed: boolean | undefined): Answer => {
    exchange.error = error
    return finish(exchange, refuse({ status: 500, error: 'internal error' }), closed)
  }

  const take = (
    { handle, verbs, closed, maxTargetBytes = MAX_TARGET_BYTES }: Destination,
    exchange: Exchange,
  ): Replied => {
    const { request } = exchange
    if (targetLength(request.url) > maxTargetBytes) return refuse({ status: 414, error: 'URI too long' })
    return request.method === 'OPTIONS'
      ? emptyReply(204, (closed ? closedCors : cors).preflight(verbs))
      : handle(exchange)
  }

  return (request, destination) => {
    const { closed } = destination
    const exchange = createExchange(request, destination.route, clock.monotonic())
    try {
      const replied = take(destination, exchange)
      if (!(replied instanceof Promise)) return finish(exchange, replied, closed)
      return replied.then(
        (reply) => finish(exchange, reply, closed),
        (error) => crash(exchange, error, closed),
      )
    } catch (error) {
      return crash(exchange, error, closed)
    }
  }
}
