import { expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { parseGlobalVersion } from '../../../../src/ton/tlb/global-version.ts'
import { failureOf } from '../../../support/failure.ts'

test('parameter 8', () => {
  expect(parseGlobalVersion(beginCell().uint(0xc4, 8).uint(12, 32).uint(1006, 64).endCell())).toEqual({
    version: 12,
    capabilities: 1006n,
  })
  expect(failureOf(() => parseGlobalVersion(beginCell().uint(0xc5, 8).uint(0, 96).endCell()))).toBe('malformed')
})
