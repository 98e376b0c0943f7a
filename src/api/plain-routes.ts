import { madeOnce } from '../common/made-once.ts'
import { VERSION } from '../common/version.ts'
import type { ApiDeps } from './deps.ts'
import { openApiDocument } from './docs/openapi.ts'
import { openApiMerchantDocument } from './docs/openapi-merchant.ts'
import { openApiV3Document } from './docs/openapi-v3.ts'
import { docsRoutes, merchantDocsRoutes } from './docs/swagger-ui.ts'
import type { Destination } from './gate.ts'
import { MERCHANT_BASE } from './merchant/destinations.ts'
import { MERCHANT_ROUTES } from './merchant/route-table.ts'
import type { RequestMetrics } from './middleware/metrics.ts'
import { emptyReply, jsonReply, type Replied } from './reply.ts'
import { openRoutes, operatorRoutes } from './system/routes.ts'
import type { Dialect } from './v2/dialect.ts'
import { refuse } from './v2/rest.ts'

type Answer = () => Replied

const VERBS = 'GET, HEAD, OPTIONS'

const destination = (route: string, answer: Answer): Destination => ({
  route,
  verbs: VERBS,
  handle: ({ request: { method } }) =>
    method === 'GET' || method === 'HEAD'
      ? answer()
      : refuse({ status: 405, error: `method ${method} is not supported` }, { allow: VERBS }),
})

const toDocs: Answer = () => emptyReply(302, { location: '/docs' })
const toV3Docs: Answer = () => emptyReply(302, { location: '/docs/v3' })
const toMerchantDocs: Answer = () => emptyReply(302, { location: '/docs/merchant' })

/** A document that is made when it is first asked for: a start needs none. */
const documentRoute = (make: () => object): Answer => {
  const text = madeOnce(() => JSON.stringify(make()))
  return () => jsonReply(200, text())
}

/** The documentation of the merchant API. */
const merchantRoutes: Readonly<Record<string, Answer>> = {
  ...merchantDocsRoutes,
  [MERCHANT_BASE]: toMerchantDocs,
  [`${MERCHANT_BASE}/openapi.json`]: documentRoute(() =>
    openApiMerchantDocument({ routes: MERCHANT_ROUTES, basePath: MERCHANT_BASE, version: VERSION }),
  ),
}

/** The GET routes that read nothing of the request, by path: system, documentation and OpenAPI. */
export const plainRoutes = <C>(deps: ApiDeps<C>, requestMetrics: RequestMetrics): ReadonlyMap<string, Destination> => {
  const openApi = (dialect: Dialect, basePath: string): Answer =>
    documentRoute(() =>
      openApiDocument({ methods: deps.methods, dialect, basePath, version: VERSION, dev: deps.dev !== undefined }),
    )
  const openApiV3 = (basePath: string): Answer =>
    documentRoute(() =>
      openApiV3Document({
        methods: deps.v3?.methods ?? [],
        emulateMethods: deps.v3?.emulateMethods ?? [],
        basePath,
        version: VERSION,
      }),
    )
  const ownV3 = openApiV3('/api/v3')
  const sdkV3 = openApiV3('/ton/api/v3')
  const ownDialect = openApi(deps.dialect, '/api/v2')
  const answers: Record<string, Answer> = {
    ...openRoutes(deps),
    ...(deps.operatorsApart ? {} : operatorRoutes({ ...deps, requestMetrics })),
    ...docsRoutes,
    ...(deps.merchant && merchantRoutes),
    '/': toDocs,
    '/api/v2': toDocs,
    '/ton/api/v2': toDocs,
    '/api/v3': toV3Docs,
    '/ton/api/v3': toV3Docs,
    '/api/v3/openapi.json': ownV3,
    '/api/v3/doc.json': ownV3,
    '/ton/api/v3/openapi.json': sdkV3,
    '/ton/api/v3/doc.json': sdkV3,
    '/openapi.json': ownDialect,
    '/api/v2/openapi.json': ownDialect,
    '/ton/api/v2/openapi.json': openApi('toncenter', '/ton/api/v2'),
  }
  return new Map(Object.entries(answers).map(([path, answer]) => [path, destination(path, answer)]))
}
