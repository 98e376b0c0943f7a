import { type JsonSchema, ref } from '../json-schema.ts'
import { ENTITY_COMPONENTS } from '../v3/entity-schemas.ts'
import { type BodySpec, GROUPS, type Method, type ParamsSpec } from '../v3/method.ts'
import { minSeqno } from '../v3/param.ts'
import { COMPONENTS } from '../v3/schemas.ts'
import { SECURITY, SECURITY_SCHEMES } from './security.ts'

type Fields = Record<string, unknown>

const EMULATE_PATH = '/api/emulate/v1'

const content = (schema: JsonSchema): Fields => ({ 'application/json': { schema } })

const ERRORS: Readonly<Record<string, string>> = {
  401: 'API key does not exist',
  403: 'Network not allowed',
  409: 'The index has not reached min_mc_seqno in time',
  422: 'A parameter is missing, unknown, cannot be read or is out of bounds; the text names it and its value',
  429: 'Ratelimit exceeded; Retry-After tells the seconds to wait',
  500: 'internal error',
  503: 'There is no index, no liteserver, or too many calls are under way',
  504: 'No answer in time',
}

const header = (description: string): Fields => ({ description, schema: { type: 'string' } })

const HEADERS: Fields = {
  'X-Index-Seqno': header('The masterchain seqno that the answer reflects'),
  'X-Index-Scope': header('"chosen-accounts" where only such are indexed, and the other side of their messages'),
  'X-Index-Range': header('Indexed masterchain seqnos: "1-360", with gaps "1-100,200-360"'),
}
const LIST_HEADERS: Fields = {
  ...HEADERS,
  'X-Next-Cursor': header('`cursor` of the next page; missing on the last one'),
}

const responses = (method: Method<never>): Fields => {
  const isList = method.verb === 'get' && 'cursor' in method.params
  const success = {
    description: 'Success',
    headers: isList ? LIST_HEADERS : HEADERS,
    content: content(method.result),
  }
  const errors = Object.entries({ ...ERRORS, ...method.errors }).map(([status, description]) => [
    status,
    { description, content: content(ref('RequestError')) },
  ])
  return { 200: success, ...Object.fromEntries(errors) }
}

const parameters = (params: ParamsSpec): Fields[] =>
  Object.entries({ ...params, min_mc_seqno: minSeqno })
    .filter(([, param]) => !param.hidden)
    .map(([name, { required, description, schema }]) => ({ name, in: 'query', required, description, schema }))

const bodySchema = (body: BodySpec): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(body).map(([name, { schema, description }]) => [name, { description, ...schema }]),
  ),
  required: Object.keys(body).filter((name) => body[name]!.required),
})

/** "jetton/masters" is jettonMastersV3. */
const operationId = (name: string): string => `${name.replace(/\/(.)/g, (_, first: string) => first.toUpperCase())}V3`

const operation = (method: Method<never>, isSecond: boolean): Fields => {
  const shared = {
    operationId: operationId(isSecond ? `${method.name}Post` : method.name),
    tags: [method.group],
    summary: method.summary,
  }
  return method.verb === 'get'
    ? { get: { ...shared, parameters: parameters(method.params), responses: responses(method) } }
    : {
        post: {
          ...shared,
          requestBody: { required: true, content: content(bodySchema(method.body)) },
          responses: responses(method),
        },
      }
}

/** The operations of each path, in the order of the table. */
const pathsOf = (methods: readonly Method<never>[], basePath: string): Record<string, Fields> => {
  const paths: Record<string, Fields> = {}
  for (const method of methods) {
    const path = `${basePath}/${method.name}`
    const others = paths[path]
    paths[path] = { ...others, ...operation(method, others !== undefined) }
  }
  return paths
}

/** What an OpenAPI document is made of. */
export interface V3Source {
  readonly methods: readonly Method<never>[]
  /** The path that all methods are under: "/api/v3". */
  readonly basePath: string
  /** The methods below /api/emulate/v1. */
  readonly emulateMethods?: readonly Method<never>[]
  readonly version: string
}

/** The OpenAPI 3.1 document of API v3, made from the method table alone. */
export const openApiV3Document = ({ methods, basePath, version, emulateMethods = [] }: V3Source): Fields => ({
  openapi: '3.1.0',
  info: {
    title: 'TON HTTP API v3',
    version,
    description:
      'Blocks, transactions, messages, traces, accounts, jettons, NFTs, domains and other contracts of the TON blockchain out of an index.',
    license: { name: 'MIT' },
  },
  tags: GROUPS.filter((group) => [...methods, ...emulateMethods].some((method) => method.group === group)).map(
    (name) => ({ name }),
  ),
  security: SECURITY,
  paths: { ...pathsOf(methods, basePath), ...pathsOf(emulateMethods, EMULATE_PATH) },
  components: {
    schemas: { ...COMPONENTS, ...ENTITY_COMPONENTS },
    securitySchemes: SECURITY_SCHEMES,
  },
})
