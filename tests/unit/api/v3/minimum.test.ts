import { expect, test } from 'bun:test'
import { V3_METHODS } from '../../../../src/api/v3/method-table.ts'
import { isTonlithError } from '../../../../src/common/errors.ts'

/** What becomes of a number: the value, or that it is refused. */
const taken = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    if (!isTonlithError(error, 'invalid')) throw error
    return 'refused'
  }
}

test('a number below the minimum that OpenAPI tells is refused, or taken as what its description tells', () => {
  const params = V3_METHODS.flatMap((method) => (method.verb === 'get' ? Object.entries(method.params) : []))
  const bounded = params.filter(([, { schema }]) => schema.minimum !== undefined)
  expect(new Set(bounded.map(([name]) => name))).toContain('limit')
  for (const [name, { schema, description, read }] of bounded) {
    const minimum = schema.minimum!
    const asMinimum = description.includes(`less than ${minimum} is taken as ${minimum}`)
    for (const below of [minimum - 1, minimum - 2, -2_147_483_648])
      expect([name, taken(() => read([String(below)], name))]).toEqual([name, asMinimum ? minimum : 'refused'])
  }
})
