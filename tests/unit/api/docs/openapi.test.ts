import { describe, expect, test } from 'bun:test'
import { openApiDocument } from '../../../../src/api/docs/openapi.ts'
import { GET_POST, method } from '../../../../src/api/v2/method.ts'
import { V2_METHODS } from '../../../../src/api/v2/method-table.ts'
import { int32 } from '../../../../src/api/v2/param.ts'
import { VERSION } from '../../../../src/common/version.ts'
import { ask, smallApp } from '../../../support/small-app.ts'

interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: { properties: object; required: string[] } }> }
  responses: Record<string, { content: Record<string, { schema: object }> }>
}
interface Document {
  info: { title: string; version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: object }
}

const documentOf = (dialect: 'spec' | 'toncenter', methods = V2_METHODS) =>
  openApiDocument({ methods, dialect, basePath: '/api/v2', version: VERSION }) as unknown as Document

const document = documentOf('spec')
const operations = Object.values(document.paths).flatMap((verbs) => Object.values(verbs))

describe('the OpenAPI document', () => {
  test('has the API’s version', () => {
    expect(document.info.version).toBe(VERSION)
    expect(document.info.title).toContain('TON')
  })

  test('has every method of the table by each of its verbs, and JSON-RPC', () => {
    const shown = V2_METHODS.filter(({ hidden }) => !hidden)
    const expected = [...shown.map(({ name, verbs }) => `${name} ${verbs}`), 'jsonRPC post']
    const listed = Object.entries(document.paths).map(([path, verbs]) => `${path.slice(8)} ${Object.keys(verbs)}`)
    expect(listed).toEqual(expected)
  })

  test('describes all parameters, in the query and in the body', () => {
    for (const { name, params, verbs, hidden } of V2_METHODS) {
      if (hidden) continue
      const path = document.paths[`/api/v2/${name}`]!
      if (verbs.includes('get')) expect(path['get']!.parameters!.map((each) => each.name)).toEqual(Object.keys(params))
      const body = path['post']!.requestBody!.content['application/json']!.schema
      expect(Object.keys(body.properties)).toEqual(Object.keys(params))
      expect(body.required).toEqual(Object.keys(params).filter((each) => params[each]!.required))
    }
  })

  test('has a schema for every answer', () => {
    for (const { responses } of operations)
      for (const status of ['200', '401', '403', '422', '429', '500', '503', '504'])
        expect(Object.keys(responses[status]!.content['application/json']!.schema).length).toBeGreaterThan(0)
  })

  test('refers to nothing that it does not have, and has nothing that nobody refers to', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!))
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  test('has an id of its own for every operation, under a tag that is listed', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const operation of operations) for (const tag of operation.tags) expect(tags).toContain(tag)
  })

  test('keeps 64-bit parameters as text, so that nobody rounds them', () => {
    const { parameters } = document.paths['/api/v2/getTransactions']!['get']!
    for (const name of ['lt', 'to_lt'])
      expect(parameters!.find((each) => each.name === name)!.schema).toMatchObject({ type: 'string' })
  })

  test('shows bounds and defaults', () => {
    const { parameters } = document.paths['/api/v2/getTransactions']!['get']!
    expect(parameters!.find(({ name }) => name === 'limit')).toMatchObject({
      required: false,
      schema: { default: 10, minimum: 1, maximum: 1000 },
    })
  })

  test('speaks its dialect', () => {
    expect(JSON.stringify(document)).toContain('chain.blockIdExt')
    expect(JSON.stringify(document)).not.toContain('ton.blockIdExt')
    expect(JSON.stringify(documentOf('toncenter'))).not.toContain('chain.blockIdExt')
  })

  test('leaves hidden methods out', () => {
    const hidden = method({
      name: 'secret',
      group: 'utils',
      summary: '',
      verbs: GET_POST,
      params: { seqno: int32({}) },
      hidden: true,
      result: {},
      call: () => null,
    })
    expect(JSON.stringify(documentOf('spec', [...V2_METHODS, hidden]))).not.toContain('secret')
  })
})

test('it is served for both base paths', async () => {
  const app = smallApp()
  for (const [path, base] of [
    ['/openapi.json', '/api/v2/'],
    ['/api/v2/openapi.json', '/api/v2/'],
    ['/ton/api/v2/openapi.json', '/ton/api/v2/'],
  ] as const) {
    const { json } = await ask(app, path)
    expect(Object.keys((json as Document).paths).every((each) => each.startsWith(base))).toBe(true)
  }
})
