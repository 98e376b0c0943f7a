import { expect, test } from 'bun:test'
import { assert, bigInt, property } from 'fast-check'
import { coinsText, parseCoins } from '../../../src/common/coins-text.ts'

test('amounts are read exactly', () => {
  expect(parseCoins('1.5')).toBe(1_500_000_000n)
  expect(parseCoins('0.000000001')).toBe(1n)
  expect(parseCoins('123456789012345678.123456789')).toBe(123_456_789_012_345_678_123_456_789n)
  for (const text of ['', '.', '1.', '.5', '-1', '+1', '1e9', '1,5', ' 1', '0x10', '1.0000000001', '9'.repeat(29)])
    expect([text, parseCoins(text)]).toEqual([text, undefined])
})

test('amounts are written without zeros at the end', () => {
  expect(coinsText(0n)).toBe('0')
  expect(coinsText(1_500_000_000n)).toBe('1.5')
  expect(coinsText(10_000_000_000n)).toBe('10')
  expect(coinsText(1n)).toBe('0.000000001')
})

test('what is written is read as the same', () => {
  assert(property(bigInt({ min: 0n, max: (1n << 120n) - 1n }), (nano) => parseCoins(coinsText(nano)) === nano))
})
