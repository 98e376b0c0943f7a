import { type JsonSchema, ref } from '../json-schema.ts'
import type { Field, MerchantRoute } from '../merchant/route.ts'
import { MERCHANT_SCHEMAS } from '../merchant/schemas.ts'

type Fields = Record<string, unknown>

const KEY = { merchantKey: [] }

const content = (schema: JsonSchema): Fields => ({ 'application/json': { schema } })

const ERRORS: Readonly<Record<string, string>> = {
  401: 'The key does not exist or was revoked; where one is required, there is none',
  403: 'The key is of a merchant of another network, or of one that is disabled',
  429: 'Ratelimit exceeded; Retry-After tells the seconds to wait',
  503: 'Payments cannot be read or written now, or too many calls are under way',
  504: 'No answer in time',
}

const BODY_ERRORS: Readonly<Record<string, string>> = {
  413: 'The body is too large',
  422: 'The body is no JSON object, or a member of it cannot be used',
}

const responses = ({ result, errors, body }: MerchantRoute): Fields => ({
  200: { description: 'Success', content: content(result) },
  ...Object.fromEntries(
    Object.entries({ ...ERRORS, ...(body && BODY_ERRORS), ...errors }).map(([status, description]) => [
      status,
      { description, content: content(ref('MerchantError')) },
    ]),
  ),
})

const parametersOf = ({ path, query = {} }: MerchantRoute): Fields[] => [
  ...Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...Object.entries(query).map(([name, { description, schema, required = false }]) => ({
    name,
    in: 'query',
    required,
    description,
    schema,
  })),
]

const bodySchema = (body: Readonly<Record<string, Field>>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(body).map(([name, { schema, description }]) => [name, { description, ...schema }]),
  ),
  required: Object.keys(body).filter((name) => body[name]!.required),
})

const operation = (route: MerchantRoute): Fields => ({
  operationId: route.operationId,
  tags: ['merchant'],
  summary: route.summary,
  security: route.key === 'required' ? [KEY] : [{}, KEY],
  parameters: parametersOf(route),
  ...(route.body && { requestBody: { required: true, content: content(bodySchema(route.body)) } }),
  responses: responses(route),
})

/** What an OpenAPI document is made of. */
export interface MerchantSource {
  readonly routes: readonly MerchantRoute[]
  /** The path that all calls are under. */
  readonly basePath: string
  readonly version: string
}

/** The OpenAPI 3.1 document of the merchant API, made from its table of routes alone. */
export const openApiMerchantDocument = ({ routes, basePath, version }: MerchantSource): Fields => {
  const paths: Record<string, Fields> = {}
  for (const route of routes) {
    const path = `${basePath}/${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.verb.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'TON payments',
      version,
      description: 'Transfers that merchants ask for, and how they are told that these were paid.',
      license: { name: 'MIT' },
    },
    tags: [{ name: 'merchant' }],
    paths,
    components: {
      schemas: MERCHANT_SCHEMAS,
      securitySchemes: { merchantKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  }
}
