import { expect, test } from 'bun:test'
import { VERSION } from '../../../src/common/version.ts'

test('the version is one of API v2 by this implementation', () => {
  expect(VERSION).toMatch(/^2\.2\.\d+$/)
})
