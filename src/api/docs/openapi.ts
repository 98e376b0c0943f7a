import type { JsonSchema } from '../json-schema.ts'
import { object, ref, STRING } from '../json-schema.ts'
import { MAX_BATCH_CALLS } from '../v2/batch.ts'
import type { Dialect } from '../v2/dialect.ts'
import { GROUPS, type Method } from '../v2/method.ts'
import type { Param } from '../v2/param.ts'
import { JSON_RPC } from '../v2/routes.ts'
import { components } from '../v2/schemas.ts'
import { DEV_TAG, devPaths } from './openapi-dev.ts'
import { SECURITY, SECURITY_SCHEMES } from './security.ts'

type Fields = Record<string, unknown>

const JSON_TYPE = 'application/json'

const content = (schema: JsonSchema): Fields => ({ [JSON_TYPE]: { schema } })

const success = (result: JsonSchema): JsonSchema =>
  object({ ok: { type: 'boolean', const: true }, result, '@extra': ref('Extra') })

const ERRORS: Readonly<Record<string, string>> = {
  401: 'API key does not exist',
  403: 'Network not allowed',
  422: 'A parameter is missing, cannot be parsed or is out of bounds',
  429: 'Ratelimit exceeded; Retry-After tells the seconds to wait',
  500: 'The liteserver refused; its words are in the error',
  503: 'No liteserver is available, or too many calls are under way; Retry-After tells the seconds to wait',
  504: 'LITE_SERVER_NETWORK timeout',
}

const GET_ERRORS: Readonly<Record<string, string>> = { 414: 'Path and query are longer than 8192 bytes' }

const BODY_ERRORS: Readonly<Record<string, string>> = {
  400: 'The body was cut off',
  408: 'The body did not arrive in time',
  413: 'The body is larger than 1 MiB, as sent or inflated',
  415: 'The Content-Encoding of the body is neither gzip nor identity',
}

const responses = (success: JsonSchema, error: string, errors: Readonly<Record<string, string>>): Fields => ({
  200: { description: 'Success', content: content(success) },
  ...Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [status, { description, content: content(ref(error)) }]),
  ),
})

const queryParameter = ([name, param]: [string, Param<unknown>]): Fields => ({
  name,
  in: 'query',
  required: param.required,
  description: param.description,
  schema: param.schema,
})

const bodySchema = (params: Readonly<Record<string, Param<unknown>>>): JsonSchema => {
  const entries = Object.entries(params)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { bodySchema, schema, description }]) => [name, { description, ...(bodySchema ?? schema) }]),
    ),
    required: entries.filter(([, param]) => param.required).map(([name]) => name),
  }
}

const operations = (method: Method<never>): Fields => {
  const shared = { tags: [method.group], summary: method.summary }
  const answers = (more: Readonly<Record<string, string>>): Fields =>
    responses(success(method.result), 'Error', { ...ERRORS, ...more, ...method.errors })
  const get = {
    operationId: `${method.name}Get`,
    parameters: Object.entries(method.params).map(queryParameter),
    responses: answers(GET_ERRORS),
    ...shared,
  }
  const post = {
    operationId: `${method.name}Post`,
    requestBody: { required: true, content: content(bodySchema(method.params)) },
    responses: answers(BODY_ERRORS),
    ...shared,
  }
  return { ...(method.verbs.includes('get') ? { get } : {}), ...(method.verbs.includes('post') ? { post } : {}) }
}

const BATCHES =
  'A list of requests is a batch. It is answered by the list of their answers, in the same order and with status 200; each ' +
  'has the `code` that it would have alone. A batch counts as all its calls and must fit into the budget of one second, ' +
  'else it is refused as a whole with 429. All of it has one deadline.'

const JSON_RPC_ANSWER: JsonSchema = {
  oneOf: [ref('RpcSuccess'), { type: 'array', items: { oneOf: [ref('RpcSuccess'), ref('RpcError')] }, minItems: 1 }],
}

const NOT_FOUND = 'Unknown method, or what was asked for does not exist'

const jsonRpc = (methods: readonly Method<never>[]): Fields => {
  const errors = Object.assign({}, ERRORS, BODY_ERRORS, ...methods.map((method) => method.errors), { 404: NOT_FOUND })
  const request = object(
    {
      jsonrpc: { type: 'string', const: '2.0' },
      id: ref('RpcId'),
      method: { type: 'string', enum: methods.map(({ name }) => name) },
      params: { type: 'object', additionalProperties: true },
      '@extra': STRING,
    },
    ['jsonrpc', 'id', 'params', '@extra'],
  )
  return {
    post: {
      operationId: JSON_RPC,
      tags: ['json-rpc'],
      summary: 'Every method of this API, with its parameters as a dictionary; jsonrpc and id come back when sent',
      description: BATCHES,
      requestBody: {
        required: true,
        content: content({
          oneOf: [request, { type: 'array', items: request, minItems: 1, maxItems: MAX_BATCH_CALLS }],
        }),
      },
      responses: responses(JSON_RPC_ANSWER, 'RpcError', errors),
    },
  }
}

/** What an OpenAPI document is made of. */
export interface OpenApiSource {
  readonly methods: readonly Method<never>[]
  readonly dialect: Dialect
  /** The path that all methods are under: "/api/v2". */
  readonly basePath: string
  readonly version: string
  /** With the paths below /dev. */
  readonly dev?: boolean
}

/** The OpenAPI 3.1 document of API v2, made from the method table, and of what is below /dev where that is served. */
export const openApiDocument = ({ methods, dialect, basePath, version, dev = false }: OpenApiSource): Fields => {
  const listed = methods.filter((method) => !method.hidden)
  return {
    openapi: '3.1.0',
    info: {
      title: 'TON HTTP API v2',
      version,
      description: 'Accounts, blocks, transactions and configuration of the TON blockchain, read through liteservers.',
      license: { name: 'MIT' },
    },
    tags: [
      ...GROUPS.filter((group) => listed.some((method) => method.group === group)),
      'json-rpc',
      ...(dev ? [DEV_TAG] : []),
    ].map((name) => ({ name })),
    security: SECURITY,
    paths: Object.fromEntries([
      ...listed.map((method) => [`${basePath}/${method.name}`, operations(method)]),
      [`${basePath}/${JSON_RPC}`, jsonRpc(listed)],
      ...(dev ? Object.entries(devPaths) : []),
    ]),
    components: {
      schemas: components(dialect),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
