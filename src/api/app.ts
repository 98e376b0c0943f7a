import { Elysia } from 'elysia'
import { DASHBOARD_BASE, dashboardRoutes } from './dashboard/routes.ts'
import { createSignInLimit } from './dashboard/sign-in-limit.ts'
import type { ApiDeps } from './deps.ts'
import { devRoutes } from './dev/routes.ts'
import type { Exchange } from './exchange.ts'
import { createGate, type Destination } from './gate.ts'
import { MERCHANT_BASE, merchantDestinations } from './merchant/destinations.ts'
import { createAdmission } from './middleware/admission.ts'
import { clientAddress } from './middleware/client-address.ts'
import { createCors } from './middleware/cors.ts'
import { createRequestMetrics } from './middleware/metrics.ts'
import { createRateLimiter } from './middleware/rate-limit.ts'
import { createRequestLog } from './middleware/request-log.ts'
import { plainRoutes } from './plain-routes.ts'
import { createBodyReader } from './request-body.ts'
import { cleanPath, pathOf } from './request-target.ts'
import { v2Destinations } from './v2/destinations.ts'
import { refuse } from './v2/rest.ts'
import { NOT_FOUND } from './v2/routes.ts'
import { v3Destinations } from './v3/destinations.ts'
import { emulateFailure } from './v3/errors.ts'
import { createV3 } from './v3/routes.ts'

/** Bodies beyond the API's own limit still reach it, so that it can refuse them, unread, in JSON. */
const SERVER_BODY_BYTES = 1 << 30
/** Of all large bodies that wait for their rest. */
const MAX_HELD_BYTES = 64 << 20
const MAX_IDLE_SECONDS = 255
/** Milliseconds that an emulation may take (contracts/v3.md 16). */
const EMULATE_MS = 3_000
const ANY_VERBS = 'GET, HEAD, POST, OPTIONS'
const V3_PATH = /^(\/ton)?\/api\/v3\//
const V2_PATH = /^(\/ton)?\/api\/v2\/[^/]+$/

/** Seconds after which a silent connection is dropped: more than any request may take. */
const idleSeconds = (requestMs: number): number => Math.min(MAX_IDLE_SECONDS, Math.ceil((2 * requestMs) / 1000) + 10)

const NOWHERE: Destination = { route: 'unknown', verbs: ANY_VERBS, handle: () => refuse(NOT_FOUND) }

/**
 * The HTTP side as an Elysia app that never listens: call `.listen` or `.handle` on it. Its answers are JSON envelopes for
 * every status, whatever the request; nothing of the machine's inside stands in them.
 */
export const buildApp = <C>(deps: ApiDeps<C>) => {
  const { clock, limits } = deps
  const metrics = deps.requestMetrics ?? createRequestMetrics()
  const log = createRequestLog(deps.logger, deps.logRequests, clock)
  const gate = createGate({ clock, cors: createCors(deps.corsOrigins), log, metrics, identifyAll: deps.logRequests })
  // The server itself finds these by their path, without Elysia, which would compile a handler for each at every start.
  const routes: Record<string, (request: Request) => Response | Promise<Response>> = {}
  const app = new Elysia({
    serve: {
      idleTimeout: idleSeconds(limits.requestMs),
      maxRequestBodySize: SERVER_BODY_BYTES,
      routes,
    },
  })
  const peerOf = (request: Request): string => app.server?.requestIP(request)?.address ?? ''
  const addressOf = (request: Request): string => clientAddress(request.headers, peerOf(request), limits.proxies)
  const rules = { lookup: deps.keys, network: deps.network, addressOf }
  const limiter = deps.counts?.limiter ?? createRateLimiter(clock)
  const admit = createAdmission({ ...rules, api: 'v2', keylessRps: () => limits.keylessRps }, limiter)
  const admitV3 = createAdmission({ ...rules, api: 'v3', keylessRps: () => limits.v3KeylessRps }, limiter)
  const { requestMs, maxCalls } = limits
  const readBody = createBodyReader({ ms: requestMs, maxHeldBytes: MAX_HELD_BYTES })
  // Each dialect stores its own texts, and so does each set of liteservers: no plan waits for those of another.
  const cacheBytes = Math.floor(limits.cacheBytes / 2 / (1 + deps.privateChains.size))
  const { methods, chain, privateChains } = deps
  const v2 = { methods, deps: { clock, requestMs, maxCalls, cacheBytes, readBody }, admit, chain, privateChains }
  const ownV2 = v2Destinations('/api/v2', deps.dialect, v2)
  const sdkV2 = v2Destinations('/ton/api/v2', 'toncenter', v2)
  const v3Deps = {
    clock,
    maxCalls,
    readBody,
    testOnly: deps.network === 'testnet',
    index: () => deps.v3?.index(),
    documents: () => deps.v3?.documents?.(),
    damaged: (reason: string) => deps.v3?.damaged?.(reason),
  }
  const v3 = createV3(deps.v3?.methods ?? [], { ...v3Deps, requestMs })
  const emulate = createV3(deps.v3?.emulateMethods ?? [], {
    ...v3Deps,
    requestMs: Math.min(requestMs, EMULATE_MS),
    failureOf: emulateFailure,
  })
  const chainOf = ({ plan }: Exchange): C => privateChains.get(plan) ?? chain
  const ownV3 = v3Destinations('/api/v3', v3, admitV3, chainOf)
  const emulated = v3Destinations('/api/emulate/v1', emulate, admitV3, chainOf)
  const sdkV3 = v3Destinations('/ton/api/v3', v3, admitV3, chainOf)
  const merchant =
    deps.merchant && merchantDestinations({ parts: deps.merchant, limiter, addressOf, readBody, requestMs, maxCalls })
  const dashboard =
    deps.merchant?.store &&
    dashboardRoutes({
      parts: {
        ...deps.merchant,
        store: deps.merchant.store,
        index: () => deps.v3?.index(),
        lag: () => deps.indexLag?.() ?? [],
      },
      clock,
      readBody,
      proxies: limits.proxies,
      peerOf,
      signIns: deps.counts?.signIns ?? { wrong: createSignInLimit(clock), right: createRateLimiter(clock) },
    })
  const paths = new Map([
    ...plainRoutes(deps, metrics),
    ...(deps.dev ? devRoutes({ ...deps.dev, read: readBody, host: deps.listenHost ?? '' }) : []),
    ...(merchant?.paths ?? []),
    ...(dashboard?.paths ?? []),
    ...[ownV2, sdkV2, ownV3, sdkV3, emulated].flatMap((destinations) => [...destinations.paths]),
  ])

  const unknownAt = (path: string): Destination => {
    if (merchant && path.startsWith(`${MERCHANT_BASE}/`)) return merchant.at(path)
    if (dashboard && path.startsWith(`${DASHBOARD_BASE}/`)) return dashboard.unknown
    const [isV2, prefix] = V2_PATH.exec(path) ?? []
    if (isV2 === undefined) return V3_PATH.test(path) ? ownV3.unknown : NOWHERE
    return (prefix === undefined ? ownV2 : sdkV2).unknown
  }
  const byPath = (path: string): Destination => {
    const clean = cleanPath(path)
    return paths.get(clean) ?? unknownAt(clean)
  }

  for (const [path, destination] of paths) routes[path] = (request) => gate(request, destination)
  return app.all('/*', ({ request }) => gate(request, byPath(pathOf(request.url))))
}
