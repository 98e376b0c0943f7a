import { expect, test } from 'bun:test'
import { openApiMerchantDocument } from '../../../../src/api/docs/openapi-merchant.ts'
import { MERCHANT_ROUTES } from '../../../../src/api/merchant/route-table.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  security: object[]
  responses: Record<string, object>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const document = openApiMerchantDocument({
  routes: MERCHANT_ROUTES,
  basePath: '/api/merchant/v1',
  version: '1',
}) as unknown as Document

const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
)

test('has every call once, with the parts of its path', () => {
  expect(operations).toHaveLength(MERCHANT_ROUTES.length)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(MERCHANT_ROUTES.length)
  for (const { path, operation } of operations) {
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual(named)
    expect(path).not.toContain(':')
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '401', '403', '429']))
  }
})

test('refers to nothing that it does not have, and has nothing that nobody refers to', () => {
  const text = JSON.stringify(document)
  const referred = new Set(Array.from(text.matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name!))
  expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort())
})
