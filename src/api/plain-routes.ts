import { VERSION } from '../common/version.ts'
import type { ApiDeps } from './deps.ts'
import { openApiDocument } from './docs/openapi.ts'
import { docsRoutes } from './docs/swagger-ui.ts'
import type { Destination } from './gate.ts'
import type { RequestMetrics } from './middleware/metrics.ts'
import { emptyReply, jsonReply, type Replied } from './reply.ts'
import { systemRoutes } from './system/routes.ts'
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

/** The GET routes that read nothing of the request, by path: system, documentation and OpenAPI. */
export const plainRoutes = <C>(deps: ApiDeps<C>, requestMetrics: RequestMetrics): ReadonlyMap<string, Destination> => {
  const openApi = (dialect: Dialect, basePath: string): Answer => {
    const text = JSON.stringify(openApiDocument({ methods: deps.methods, dialect, basePath, version: VERSION }))
    return () => jsonReply(200, text)
  }
  const ownDialect = openApi(deps.dialect, '/api/v2')
  const answers: Record<string, Answer> = {
    ...systemRoutes({ ...deps, requestMetrics }),
    ...docsRoutes,
    '/': toDocs,
    '/api/v2': toDocs,
    '/ton/api/v2': toDocs,
    '/openapi.json': ownDialect,
    '/api/v2/openapi.json': ownDialect,
    '/ton/api/v2/openapi.json': openApi('toncenter', '/ton/api/v2'),
  }
  return new Map(Object.entries(answers).map(([path, answer]) => [path, destination(path, answer)]))
}
