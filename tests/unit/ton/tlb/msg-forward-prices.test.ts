import { expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseMsgForwardPrices } from '../../../../src/ton/tlb/msg-forward-prices.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)

test('parameters 24 and 25', () => {
  const cell = numbers(numbers(beginCell().uint(0xea, 8), 64, [400_000, 2, 3]).uint(98_304, 32), 16, [21_845, 21_846])
  expect(parseMsgForwardPrices(cell.endCell())).toEqual({
    lump_price: 400_000n,
    bit_price: 2n,
    cell_price: 3n,
    ihr_price_factor: 98_304,
    first_frac: 21_845,
    next_frac: 21_846,
  })
})
