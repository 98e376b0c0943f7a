import { isTonlithError } from '../../common/errors.ts'
import { stringifyJson } from '../../common/lossless-json.ts'
import type { DevNetwork } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import type { Destination } from '../gate.ts'
import { isOwnHost } from '../middleware/own-host.ts'
import { jsonReply, type Replied, type Reply, reply } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { takeJson } from '../v2/body.ts'
import { callFailure, failureHeaders } from '../v2/errors.ts'
import { refuse, refuseBody } from '../v2/rest.ts'
import { statusJson } from './answers.ts'
import { DEV_ROUTES, type DevRoute } from './calls.ts'
import { devPage, PAGE_HEADERS, PAGE_SCRIPT, PAGE_STYLE } from './page.ts'

/** Where clients of the liteserver find what they start from. */
export const GLOBAL_CONFIG = '/dev/global-config.json'

const GET_VERBS = 'GET, HEAD'
const POST_VERBS = 'POST'

/** What the routes are made of. */
export interface DevParts extends DevNetwork {
  readonly read: BodyReader
  /** The host of the address that is listened on. */
  readonly host: string
}

const failed = (exchange: Exchange, error: unknown): Reply => {
  exchange.error = error
  const failure = callFailure(error)
  const own = isTonlithError(error, 'timeout') || isTonlithError(error, 'unavailable')
  return refuse(own ? { ...failure, error: error.message } : failure, failureHeaders(failure.status))
}

/**
 * A web page of another origin cannot send `application/json` without asking first, which /dev never allows; this refuses
 * it where it does so all the same.
 */
const refuseForeign = ({ headers, url }: Request): Reply | undefined => {
  const origin = headers.get('origin')
  const host = headers.get('host') ?? new URL(url, 'http://localhost').host
  if (origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host))
    return refuse({ status: 403, error: 'pages of other origins may not ask for this' })
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refuse({ status: 415, error: 'content type must be application/json' })
  return undefined
}

/** Keys of wallets are shown here, and blocks made: not for a page whose own name was made to lead to this machine. */
const refuseHost = ({ headers }: Request, host: string): Reply | undefined =>
  isOwnHost(headers.get('host'), host)
    ? undefined
    : refuse({ status: 403, error: '/dev is answered under an IP address, localhost or a name without dots only' })

const postRoute = ({ control, read, host }: DevParts, { name, run }: DevRoute): Destination => ({
  route: `/dev/${name}`,
  verbs: POST_VERBS,
  closed: true,
  handle: async (exchange) => {
    const { request } = exchange
    if (request.method !== 'POST')
      return refuse({ status: 405, error: `method ${request.method} is not supported` }, { allow: POST_VERBS })
    const foreign = refuseHost(request, host) ?? refuseForeign(request)
    if (foreign) return foreign
    const taken = await takeJson(request, read)
    if ('failure' in taken) return refuseBody(taken.failure)
    try {
      return jsonReply(200, stringifyJson(await run(control, taken.value)))
    } catch (error) {
      return failed(exchange, error)
    }
  },
})

const getRoute = (host: string, route: string, answer: () => Replied): Destination => ({
  route,
  verbs: GET_VERBS,
  closed: true,
  handle: async (exchange) => {
    const { method } = exchange.request
    if (method !== 'GET' && method !== 'HEAD')
      return refuse({ status: 405, error: `method ${method} is not supported` }, { allow: GET_VERBS })
    const foreign = refuseHost(exchange.request, host)
    if (foreign) return foreign
    try {
      return await answer()
    } catch (error) {
      return failed(exchange, error)
    }
  },
})

/** Everything below /dev by path: the page of a live network, its state, and what can be done to it. */
export const devRoutes = (parts: DevParts): ReadonlyMap<string, Destination> => {
  const { control, globalConfig, host } = parts
  return new Map(
    [
      getRoute(host, '/dev', async () =>
        reply(200, 'text/html; charset=utf-8', devPage(await control.status()), PAGE_HEADERS),
      ),
      getRoute(host, '/dev/page.js', () => reply(200, 'text/javascript; charset=utf-8', PAGE_SCRIPT, PAGE_HEADERS)),
      getRoute(host, '/dev/page.css', () => reply(200, 'text/css; charset=utf-8', PAGE_STYLE, PAGE_HEADERS)),
      getRoute(host, '/dev/status', async () => jsonReply(200, stringifyJson(statusJson(await control.status())))),
      getRoute(host, GLOBAL_CONFIG, () => jsonReply(200, globalConfig)),
      ...DEV_ROUTES.map((each) => postRoute(parts, each)),
    ].map((destination) => [destination.route, destination] as const),
  )
}
