import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { amountText, rawAmountOf } from '../../src/payments/asset-amount.ts'
import { failureOf } from '../support/failure.ts'

const MOST = (1n << 120n) - 1n

/** What a decimal text is worth, as a fraction of integers, worked out in another way than the program does. */
const fractionOf = (mantissa: bigint, fractionDigits: number, exponent: number): [bigint, bigint] =>
  exponent >= fractionDigits
    ? [mantissa * 10n ** BigInt(exponent - fractionDigits), 1n]
    : [mantissa, 10n ** BigInt(fractionDigits - exponent)]

test('an amount is its exact fraction in base units, or refused', () => {
  const parts = fc.record({
    mantissa: fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fractionDigits: fc.nat(45),
    exponent: fc.integer({ min: -40, max: 40 }),
    withExponent: fc.boolean(),
    zeros: fc.nat(3),
    decimals: fc.constantFrom(0, 6, 9, 18, 255),
  })
  fc.assert(
    fc.property(parts, ({ mantissa, fractionDigits, withExponent, zeros, decimals, ...rest }) => {
      const exponent = withExponent ? rest.exponent : 0
      const digits = mantissa.toString().padStart(fractionDigits + 1, '0')
      const at = digits.length - fractionDigits
      const plain = digits.slice(0, at) + (fractionDigits > 0 ? `.${digits.slice(at)}${'0'.repeat(zeros)}` : '')
      const text = withExponent ? `${plain}e${exponent}` : plain
      const [above, below] = fractionOf(mantissa, fractionDigits, exponent)
      const scaled = above * 10n ** BigInt(decimals)
      const fits = scaled > 0n && scaled % below === 0n && scaled / below <= MOST
      if (!fits) expect(failureOf(() => rawAmountOf(text, decimals))).toBe('invalid')
      else expect(rawAmountOf(text, decimals)).toBe(scaled / below)
    }),
    { numRuns: 2000 },
  )
})

test('base units are written as text and read back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MOST }), fc.nat(255), (raw, decimals) => {
      const text = amountText(raw, decimals)
      expect(rawAmountOf(text, decimals)).toBe(raw)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
    { numRuns: 2000 },
  )
})
