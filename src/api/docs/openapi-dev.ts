import { STATUS } from '../dev/answers.ts'
import { DEV_ROUTES, type DevRoute } from '../dev/calls.ts'
import { GLOBAL_CONFIG } from '../dev/routes.ts'
import { type JsonSchema, ref } from '../json-schema.ts'

type Described = Record<string, unknown>

const content = (schema: JsonSchema): Described => ({ 'application/json': { schema } })

const ERRORS: Readonly<Record<string, string>> = {
  403: 'The request comes from a web page of another origin',
  413: 'The body is larger than 1 MiB',
  415: 'The content type is not application/json',
  422: 'A field is missing, unknown or out of bounds, or it cannot be done as asked',
  503: 'The network is being replaced or ends',
  504: 'It did not happen in time',
}

const responses = (result: JsonSchema, statuses: readonly string[]): Described => ({
  200: { description: 'Success', content: content(result) },
  ...Object.fromEntries(
    statuses.map((status) => [status, { description: ERRORS[status], content: content(ref('Error')) }]),
  ),
})

const body = ({ fields }: DevRoute): Described => ({
  required: true,
  content: content({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { schema, description }]) => [name, { ...schema, description }]),
    ),
    required: Object.keys(fields).filter((name) => fields[name]!.required),
    additionalProperties: false,
  }),
})

export const DEV_TAG = 'dev'

/** The paths below /dev for the OpenAPI document of a live network. They need no key and count against no limit. */
export const devPaths: Described = {
  '/dev/status': {
    get: {
      operationId: 'devStatus',
      tags: [DEV_TAG],
      summary: 'Head, clock, shards and wallets of the network',
      security: [],
      responses: responses(STATUS, ['503']),
    },
  },
  [GLOBAL_CONFIG]: {
    get: {
      operationId: 'devGlobalConfig',
      tags: [DEV_TAG],
      summary: 'The global config of the network: its liteserver and its zero state, for any client of liteservers',
      security: [],
      responses: responses({ type: 'object' }, []),
    },
  },
  ...Object.fromEntries(
    DEV_ROUTES.map((route) => [
      `/dev/${route.name}`,
      {
        post: {
          operationId: `dev${route.name[0]!.toUpperCase()}${route.name.slice(1)}`,
          tags: [DEV_TAG],
          summary: route.summary,
          security: [],
          requestBody: body(route),
          responses: responses(route.result, Object.keys(ERRORS)),
        },
      },
    ]),
  ),
}
