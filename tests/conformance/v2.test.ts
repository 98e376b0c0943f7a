import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { V2_METHODS } from '../../src/api/v2/method-table.ts'
import { type OpenApi, type SchemaCheck, schemaCheck } from '../support/answer-schema.ts'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'
import moreCases from './more-cases.json'

/**
 * Every case of API v2, over the recorded chain, asked as GET, as POST and through JSON-RPC: the status and the exact values
 * that the case names, and an answer that fits the schema which the gateway publishes for it.
 */

type Values = Record<string, string | number | string[]>

interface Case {
  name: string
  method?: string
  path: string
  query?: Values
  body?: Record<string, unknown>
  status?: number | number[]
  expect?: Record<string, unknown>
}

interface Transport {
  name: string
  verb: 'get' | 'post'
  request(base: string, method: string, params: Values): Request
}

const recorded = JSON.parse(
  Bun.zstdDecompressSync(readFileSync(new URL('../fixtures/chain/cases-v2-all.json.zst', import.meta.url))).toString(),
) as Case[]

/** Of what the recorded cases do not ask. */
const more = moreCases as Case[]

/** The recording has the signatures of few blocks. What is said about one without them, more-cases.json asks. */
const withWhatIsRecorded = (each: Case): Case =>
  each.path.endsWith('/getMasterchainBlockSignatures') ? { ...each, query: { seqno: 105 } } : each

const split = (path: string): [base: string, method: string] => {
  const end = path.lastIndexOf('/') + 1
  return [path.slice(0, end), path.slice(end)]
}

const built = new Set(['jsonRPC', ...V2_METHODS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])])])
/** Cases of what has been built, and those that ask for what there is not. */
const cases = [...recorded.map(withWhatIsRecorded), ...more].filter(
  ({ path, status }) => built.has(split(path)[1]) || status === 404 || status === 405,
)

const ORIGIN = 'http://localhost'

const post = (path: string, body: unknown): Request =>
  new Request(ORIGIN + path, { method: 'POST', body: JSON.stringify(body) })

/** A key stays in the query: in a body it would be a parameter that nobody knows. */
const withKey = (path: string, { api_key }: Values): string => (api_key ? `${path}?api_key=${api_key}` : path)
const withoutKey = ({ api_key, ...params }: Values): Values => params

const transports: readonly Transport[] = [
  {
    name: 'GET',
    verb: 'get',
    request: (base, method, params) => {
      const url = new URL(ORIGIN + base + method)
      for (const [key, value] of Object.entries(params))
        for (const each of [value].flat()) url.searchParams.append(key, String(each))
      return new Request(url.href)
    },
  },
  {
    name: 'POST',
    verb: 'post',
    request: (base, method, params) => post(withKey(base + method, params), withoutKey(params)),
  },
  {
    name: 'JSON-RPC',
    verb: 'post',
    request: (base, method, params) =>
      post(withKey(`${base}jsonRPC`, params), { jsonrpc: '2.0', id: '1', method, params: withoutKey(params) }),
  },
]

let gateway: ArchiveGateway
const checks: Record<string, SchemaCheck> = {}

beforeAll(async () => {
  gateway = await startArchiveGateway()
  for (const base of ['/api/v2/', '/ton/api/v2/']) {
    const response = await gateway.fetch(new Request(`${ORIGIN}${base}openapi.json`))
    checks[base] = schemaCheck((await response.json()) as OpenApi)
  }
})

afterAll(() => gateway.stop())

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

type Answer = Record<string, unknown>

const verify = async (each: Case, request: Request, broken: (status: number, answer: Answer) => unknown) => {
  const response = await gateway.fetch(request)
  const answer = (await response.json()) as Answer
  expect([each.status ?? 200].flat()).toContain(response.status)
  for (const [path, value] of Object.entries(each.expect ?? {})) expect([path, at(answer, path)]).toEqual([path, value])
  expect(broken(response.status, answer)).toEqual([])
}

/** Paths of aliases are not listed in OpenAPI; their answers fit the schema of what they stand for. */
const ALIASES: Readonly<Record<string, string>> = {
  shards: 'getShards',
  getOutMsgQueueSizes: 'getOutMsgQueueSize',
}

/** Hidden methods have no schema. */
const hidden = new Set(V2_METHODS.filter((method) => method.hidden).map(({ name }) => name))

/** What in an answer breaks the schema of its method and, through JSON-RPC, that of JSON-RPC. */
const schemaBreaks =
  (base: string, method: string, verb: 'get' | 'post', isRpc: boolean) => (status: number, answer: Answer) => {
    const check = checks[base]!
    const { jsonrpc, id, ...own } = answer
    const ofRpc = isRpc ? check(`${base}jsonRPC`, 'post', status, answer) : []
    const none = hidden.has(method) ? [] : ['none']
    return [...(check(base + (ALIASES[method] ?? method), verb, status, isRpc ? own : answer) ?? none), ...ofRpc!]
  }

describe('a v2 case', () => {
  for (const [index, each] of cases.entries()) {
    const [base, method] = split(each.path)
    if (each.body) {
      test(`${index} ${each.name}, as it is`, () =>
        verify(each, post(each.path, each.body), schemaBreaks(base, method, 'post', false)))
      if (method !== 'jsonRPC')
        test(`${index} ${each.name}, through JSON-RPC`, () =>
          verify(
            each,
            post(`${base}jsonRPC`, { jsonrpc: '2.0', id: '1', method, params: each.body }),
            schemaBreaks(base, method, 'post', true),
          ))
      continue
    }
    for (const { name, verb, request } of transports)
      test(`${index} ${each.name}, ${name} ${each.path}`, () =>
        verify(each, request(base, method, each.query ?? {}), schemaBreaks(base, method, verb, name === 'JSON-RPC')))
  }

  test('is asked as GET too, wherever the method takes one', () => {
    const byBody = new Set(cases.filter(({ body }) => body !== undefined).map(({ path }) => split(path)[1]))
    for (const { name, verbs } of V2_METHODS) if (verbs.includes('get')) expect(byBody).not.toContain(name)
  })

  test('is there for every method that has been built', () => {
    const asked = new Set(cases.map(({ path }) => split(path)[1]))
    for (const { name } of V2_METHODS) expect(asked).toContain(name)
  })
})
