import { TonlithError } from '../../common/errors.ts'
import { type Json, stringifyJson } from '../../common/lossless-json.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import type { Exchange } from '../exchange.ts'
import type { Destination } from '../gate.ts'
import { refusalHeaders } from '../middleware/admission.ts'
import { within } from '../middleware/timeout.ts'
import { jsonReply, type Reply } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { cleanPath, pathOf } from '../request-target.ts'
import { bodyFailure, bodyFailureHeaders, callFailure } from '../v2/errors.ts'
import { admitToMerchantApi, type MerchantAdmissionRules } from './admission.ts'
import { refuse } from './errors.ts'
import { type Members, readMembers } from './members.ts'
import type { MerchantCall, MerchantRoute } from './route.ts'
import { MERCHANT_ROUTES } from './route-table.ts'

/** The path that all calls are under. */
export const MERCHANT_BASE = '/api/merchant/v1'
/** Characters of a body. */
const MAX_BODY = 64 << 10
const ANY_VERBS = 'GET, HEAD, POST, PUT, OPTIONS'
const NO_MEMBERS: Members = new Map()

export interface MerchantApiDeps extends MerchantAdmissionRules {
  readonly readBody: BodyReader
  /** Milliseconds that an answer may take before the caller gets 504. */
  readonly requestMs: number
  /** Calls that may be under way at once; more are refused with 503. */
  readonly maxCalls: number
}

/** Where requests below MERCHANT_BASE go. */
export interface MerchantDestinations {
  readonly paths: ReadonlyMap<string, Destination>
  /** For paths that are not among these. */
  at(path: string): Destination
}

const verbsOf = (routes: readonly MerchantRoute[]): string =>
  [...routes.flatMap(({ verb }) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])), 'OPTIONS'].join(', ')

/** The parts of a path that a route names, or undefined where the path is not its. */
const namedParts = (pattern: string, path: string): Record<string, string> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const named: Record<string, string> = {}
  if (wanted.length !== given.length) return undefined
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':') && given[i] !== '') named[part.slice(1)] = given[i]!
    else if (part !== given[i]) return undefined
  }
  return named
}

/** What the body holds, or the refusal of a body that cannot be used. */
const takeMembers = async ({ request }: Exchange, read: BodyReader): Promise<Members | Reply> => {
  let text: string
  try {
    text = await read(request)
    if (text.length > MAX_BODY) throw new TonlithError('limit', 'too large request')
  } catch (error) {
    const failure = bodyFailure(error)
    return refuse(failure, bodyFailureHeaders(failure.status))
  }
  return readMembers(text)
}

const isReply = (taken: Members | Reply): taken is Reply => !(taken instanceof Map)

/** The merchant API: its calls by path. */
export const merchantDestinations = (deps: MerchantApiDeps): MerchantDestinations => {
  const { parts, readBody, requestMs, maxCalls } = deps
  let underWay = 0

  const run = async (route: MerchantRoute, call: MerchantCall): Promise<Json> => {
    const { merchant } = call
    if (route.key === 'optional') return route.run(call)
    if (merchant === null) throw new TonlithError('internal', 'a call without its merchant was let pass')
    return route.run({ ...call, merchant })
  }

  const answer = async (
    exchange: Exchange,
    store: PaymentStore,
    route: MerchantRoute,
    path: Record<string, string>,
  ): Promise<Reply> => {
    const admitted = admitToMerchantApi(deps, store, exchange, route)
    if ('refusal' in admitted) return refuse(admitted.refusal, refusalHeaders(admitted.refusal))
    const members = route.body ? await takeMembers(exchange, readBody) : NO_MEMBERS
    if (isReply(members)) return members
    if (underWay >= maxCalls) throw new TonlithError('unavailable', 'too many calls under way', { code: 503 })
    const controller = new AbortController()
    const { merchant, caller } = admitted
    const { signal } = controller
    underWay++
    try {
      const work = run(route, { parts, store, merchant, caller, query: exchange.query, members, path, signal })
      const patience = { ms: requestMs, signal: () => exchange.request.signal }
      return jsonReply(200, stringifyJson(await within(patience, work, () => controller.abort())))
    } finally {
      underWay--
    }
  }

  const destination = (pattern: string, routes: readonly MerchantRoute[]): Destination => ({
    route: `${MERCHANT_BASE}/${pattern}`,
    verbs: verbsOf(routes),
    handle: async (exchange) => {
      const { method } = exchange.request
      const verb = method === 'HEAD' ? 'GET' : method
      const route = routes.find((each) => each.verb === verb)
      if (!route) return refuse({ status: 405, error: `method ${method} is not supported` }, { allow: verbsOf(routes) })
      const { store } = parts
      if (!store) return refuse({ status: 503, error: 'payments cannot be read or written now' })
      const named = namedParts(pattern, cleanPath(pathOf(exchange.request.url)).slice(MERCHANT_BASE.length + 1))
      try {
        return await answer(exchange, store, route, named ?? {})
      } catch (error) {
        exchange.error = error
        return refuse(callFailure(error))
      }
    },
  })

  const patterns = Map.groupBy(MERCHANT_ROUTES, ({ path }) => path)
  const all = [...patterns].map(([pattern, routes]) => ({ pattern, destination: destination(pattern, routes) }))
  const unknown: Destination = {
    route: `${MERCHANT_BASE}/:unknown`,
    verbs: ANY_VERBS,
    handle: () => refuse({ status: 404, error: 'Not Found' }),
  }
  return {
    paths: new Map(
      all
        .filter(({ pattern }) => !pattern.includes(':'))
        .map(({ pattern, destination }) => [`${MERCHANT_BASE}/${pattern}`, destination]),
    ),
    at: (path) =>
      all.find(({ pattern }) => namedParts(pattern, path.slice(MERCHANT_BASE.length + 1)))?.destination ?? unknown,
  }
}
