import { expect, test } from 'bun:test'
import { readAmount, readCanonicalAmount } from '../../../src/contracts/amount.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { beginParse, type Slice } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'

const MAX = (1n << 63n) - 1n
const grams = (bytes: number, value: bigint): Slice =>
  beginParse(
    beginCell()
      .uint(bytes, 4)
      .uint(value, bytes * 8)
      .endCell(),
  )

test('amounts up to the largest int64 are read', () => {
  for (const read of [readAmount, readCanonicalAmount]) {
    expect(read(grams(0, 0n))).toBe(0n)
    expect(read(grams(1, 1n))).toBe(1n)
    expect(read(grams(8, MAX))).toBe(MAX)
  }
})

test('amounts beyond int64 are malformed', () => {
  for (const read of [readAmount, readCanonicalAmount]) {
    expect(failureOf(() => read(grams(8, MAX + 1n)))).toBe('malformed')
    expect(failureOf(() => read(grams(15, (1n << 120n) - 1n)))).toBe('malformed')
  }
})

test('leading zero bytes are malformed only where the canonical form is asked for', () => {
  expect(readAmount(grams(3, 53n))).toBe(53n)
  for (const [bytes, value] of [
    [3, 53n],
    [1, 0n],
  ] as const)
    expect(failureOf(() => readCanonicalAmount(grams(bytes, value)))).toBe('malformed')
})

test('an amount that ends early is malformed', () => {
  expect(failureOf(() => readAmount(beginParse(beginCell().uint(2, 4).uint(1, 15).endCell())))).toBe('malformed')
})
