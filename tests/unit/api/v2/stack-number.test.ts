import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hexNumber, jsonStackNumber, parseStackNumber } from '../../../../src/api/v2/stack-number.ts'

const MIN = -(2n ** 256n)
const MAX = 2n ** 256n - 1n

test('texts are decimal or hex, with a sign in front of either', () => {
  const texts: Record<string, bigint> = {
    '0': 0n,
    '-0': 0n,
    '007': 7n,
    '+7': 7n,
    '-7': -7n,
    '0x10': 16n,
    '-0x10': -16n,
    '0xAbC': 0xabcn,
    [String(MAX)]: MAX,
    [String(MIN)]: MIN,
    [hexNumber(MIN)]: MIN,
  }
  for (const [text, value] of Object.entries(texts)) expect(parseStackNumber(text)).toBe(value)
})

test('other texts and what 257 bits do not hold are refused', () => {
  const wrong = ['', '-', '+', '0x', '-0x', '0x-1', '--1', ' 1', '1 ', '1.0', '1e3', '0b1', '0X1', 'ff', 'NaN', '１']
  for (const text of [...wrong, String(MAX + 1n), String(MIN - 1n), `0x1${'0'.repeat(64)}1`, '1'.repeat(1_000_000)])
    expect(parseStackNumber(text)).toBeUndefined()
})

test('JSON numbers are taken when they are exact', () => {
  for (const value of [0, -5, Number.MAX_SAFE_INTEGER]) expect(jsonStackNumber(value)).toBe(BigInt(value))
  for (const value of [2n ** 63n, MAX, MIN]) expect(jsonStackNumber(value)).toBe(value)
  for (const value of [1.5, 2 ** 60, 1e300, MAX + 1n, null, true, '1', [], {}])
    expect(jsonStackNumber(value)).toBeUndefined()
})

test('every integer comes back from its hex text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: MIN, max: MAX }), (value) => {
      const text = hexNumber(value)
      expect(parseStackNumber(text)).toBe(value)
      expect(parseStackNumber(String(value))).toBe(value)
      expect(text).toMatch(/^-?0x(0|[1-9a-f][0-9a-f]*)$/)
    }),
  )
})
