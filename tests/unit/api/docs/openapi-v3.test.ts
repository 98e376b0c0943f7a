import { expect, test } from 'bun:test'
import { openApiV3Document } from '../../../../src/api/docs/openapi-v3.ts'
import { V3_METHODS } from '../../../../src/api/v3/method-table.ts'

interface Operation {
  operationId: string
  parameters?: { name: string }[]
  requestBody?: { content: { 'application/json': { schema: { properties: object } } } }
  responses: Record<string, object>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const document = openApiV3Document({ methods: V3_METHODS, basePath: '/api/v3', version: '1' }) as unknown as Document

test('has every method of the table, with its parameters', () => {
  expect(Object.keys(document.paths)).toEqual([...new Set(V3_METHODS.map(({ name }) => `/api/v3/${name}`))])
  for (const method of V3_METHODS) {
    const operation = document.paths[`/api/v3/${method.name}`]![method.verb]!
    if (method.verb === 'post') {
      const { properties } = operation.requestBody!.content['application/json'].schema
      expect(Object.keys(properties)).toEqual(Object.keys(method.body))
    } else {
      const shown = Object.entries(method.params).filter(([, param]) => !param.hidden)
      expect(operation.parameters!.map(({ name }) => name)).toEqual([...shown.map(([name]) => name), 'min_mc_seqno'])
    }
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '422', '503']))
  }
})

test('refers to nothing that it does not have, and has nothing that nobody refers to', () => {
  const text = JSON.stringify(document)
  const referred = new Set(Array.from(text.matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name!))
  expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort())
})
