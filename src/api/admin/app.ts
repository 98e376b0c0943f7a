import { hash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Logger } from '../../common/logger.ts'
import { createGate, type Destination } from '../gate.ts'
import { createCors } from '../middleware/cors.ts'
import { isOwnHost } from '../middleware/own-host.ts'
import { createRequestLog } from '../middleware/request-log.ts'
import type { Reply } from '../reply.ts'
import { cleanPath, pathOf } from '../request-target.ts'
import { openRoutes, operatorRoutes, type SystemDeps } from '../system/routes.ts'
import { refuse } from '../v2/rest.ts'
import { NOT_FOUND } from '../v2/routes.ts'

/** What the listener of the operator takes from the rest of the program. */
export interface AdminDeps extends SystemDeps {
  readonly logger: Logger
  readonly logRequests: boolean
  /** What callers must send as `Authorization: Bearer …`; undefined where everybody on this machine may ask. As it is now. */
  token(): string | undefined
  /** The host of the address that it listens on. */
  readonly host: string
}

const VERBS = 'GET, HEAD'
const IDLE_SECONDS = 30
const MAX_BODY_BYTES = 1 << 16

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Why a caller may not ask; undefined where it may. */
const refusalBy = ({ token, host }: AdminDeps): ((request: Request) => Reply | undefined) => {
  return ({ headers, method }) => {
    if (!isOwnHost(headers.get('host'), host)) return refuse({ status: 403, error: 'host is not allowed' })
    const wanted = token()
    const sent = headers.get('authorization') ?? ''
    if (wanted !== undefined && !timingSafeEqual(digest(sent), digest(`Bearer ${wanted}`)))
      return refuse({ status: 401, error: 'the admin token is missing or wrong' }, { 'www-authenticate': 'Bearer' })
    return method === 'GET' || method === 'HEAD'
      ? undefined
      : refuse({ status: 405, error: `method ${method} is not supported` }, { allow: VERBS })
  }
}

/** The app of the operator's own listener: what the public one has of the system, and what it has no more. */
export const buildAdminApp = (deps: AdminDeps) => {
  const { clock, logger, logRequests, requestMetrics } = deps
  const gate = createGate({
    clock,
    cors: createCors([]),
    log: createRequestLog(logger, logRequests, clock),
    metrics: requestMetrics,
    identifyAll: logRequests,
  })
  const refusal = refusalBy(deps)
  const destinations = new Map(
    Object.entries({ ...openRoutes(deps), ...operatorRoutes(deps) }).map(([route, answer]): [string, Destination] => [
      route,
      { route, verbs: VERBS, closed: true, handle: ({ request }) => refusal(request) ?? answer() },
    ]),
  )
  const nowhere: Destination = {
    route: 'unknown',
    verbs: VERBS,
    closed: true,
    handle: ({ request }) => refusal(request) ?? refuse(NOT_FOUND),
  }
  return new Elysia({
    serve: { idleTimeout: IDLE_SECONDS, maxRequestBodySize: MAX_BODY_BYTES },
  }).all('/*', ({ request }) => gate(request, destinations.get(cleanPath(pathOf(request.url))) ?? nowhere))
}
