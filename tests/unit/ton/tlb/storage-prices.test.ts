import { expect, test } from 'bun:test'
import type { Builder } from '../../../../src/ton/builder.ts'
import { parseStoragePrices } from '../../../../src/ton/tlb/storage-prices.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)
const label = <T>(fitting: readonly T[]): T => fitting[0]!

test('parameter 18', () => {
  const prices = (since: number) => ({
    key: since.toString(2).padStart(32, '0'),
    value: (builder: Builder) => numbers(builder.uint(0xcc, 8).uint(since, 32), 64, [1, 500, 1000, 500_000]),
  })
  const expected = [0, 9].map((utime_since) => ({
    utime_since,
    bit_price_ps: 1n,
    cell_price_ps: 500n,
    mc_bit_price_ps: 1000n,
    mc_cell_price_ps: 500_000n,
  }))
  expect(parseStoragePrices(encodeDict([prices(9), prices(0)], 32, { label }))).toEqual(expected)
})
