import { expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { amountText, rawAmountOf } from '../../../src/payments/asset-amount.ts'

const reasonOf = (text: string, decimals = 9): string => {
  try {
    rawAmountOf(text, decimals)
  } catch (error) {
    if (error instanceof TonlithError && error.kind === 'invalid') return error.message
    throw error
  }
  return ''
}

test('amounts are read as they are written', () => {
  const cases: [string, number, bigint][] = [
    ['10.5', 9, 10_500_000_000n],
    ['1e2', 6, 100_000_000n],
    ['1E+2', 0, 100n],
    ['1.5e-3', 9, 1_500_000n],
    ['1.500000000000000000000', 1, 15n],
    ['0.000000001', 9, 1n],
    ['1234567890.123456789', 9, 1_234_567_890_123_456_789n],
    ['0.123456789012345678', 18, 123_456_789_012_345_678n],
    ['1329227995784915872903807060280344575', 0, (1n << 120n) - 1n],
    ['0007', 0, 7n],
  ]
  for (const [text, decimals, raw] of cases) expect(rawAmountOf(text, decimals)).toBe(raw)
})

test('what no message can carry is refused in words', () => {
  for (const text of [
    '',
    ' 1',
    '1.',
    '.5',
    '+1',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '1e',
    '1e1234567',
    '１',
    '9'.repeat(1001),
  ])
    expect(reasonOf(text)).toBe('amount is not a decimal number')
  for (const text of ['0', '0.000', '-0', '0e400']) expect(reasonOf(text)).toBe('amount must be more than zero')
  expect(reasonOf('-1')).toBe('amount must not be negative')
  expect(reasonOf('0.0000000001')).toBe('amount has more fraction digits than the asset has decimals: 9')
  expect(reasonOf('0.30000000000000004')).toBe('amount has more fraction digits than the asset has decimals: 9')
  expect(reasonOf('1.5', 0)).toBe('amount has more fraction digits than the asset has decimals: 0')
  for (const text of ['1e400', '1e999999', '1329227995784915872903807060280344576'])
    expect(reasonOf(text, 0)).toBe('amount is more than a message can carry')
})

test('amounts are written without needless zeros', () => {
  const cases: [bigint, number, string][] = [
    [1_500_000_000n, 9, '1.5'],
    [1n, 9, '0.000000001'],
    [0n, 9, '0'],
    [100n, 0, '100'],
    [10n ** 12n, 9, '1000'],
  ]
  for (const [raw, decimals, text] of cases) expect(amountText(raw, decimals)).toBe(text)
})
