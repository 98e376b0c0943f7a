import { expect, test } from 'bun:test'
import { exactNumber, goJson } from '../../../../src/api/v3/go-json.ts'

test('strings are escaped as Go does', () => {
  const value = '<a href="x">&\u2028\u2029'
  const text = goJson({ value, list: ['>'] })
  expect(text).toBe('{"value":"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029","list":["\\u003e"]}')
  expect(JSON.parse(text)).toEqual({ value, list: ['>'] })
})

test('what is undefined is left out, and null is not', () => {
  expect(goJson({ a: undefined, b: null })).toBe('{"b":null}')
})

test('large numbers keep their digits', () => {
  expect(goJson({ id: exactNumber(123456789012345678901234n) })).toBe('{"id":123456789012345678901234}')
})
