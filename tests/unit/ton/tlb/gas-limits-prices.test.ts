import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseGasLimitsPrices } from '../../../../src/ton/tlb/gas-limits-prices.ts'
import { failureOf } from '../../../support/failure.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)

describe('parameters 20 and 21', () => {
  const flat = (builder: Builder): Builder => numbers(builder.uint(0xd1, 8), 64, [100, 40_000])
  const rest = { gas_credit: 4n, block_gas_limit: 5n, freeze_due_limit: 6n, delete_due_limit: 7n }

  test('with flat prefix and a limit for special accounts', () => {
    const cell = numbers(flat(beginCell()).uint(0xde, 8), 64, [1, 2, 3, 4, 5, 6, 7]).endCell()
    expect(parseGasLimitsPrices(cell)).toEqual({
      flat_gas_limit: 100n,
      flat_gas_price: 40_000n,
      gas_price: 1n,
      gas_limit: 2n,
      special_gas_limit: 3n,
      ...rest,
    })
  })

  test('of the older form', () => {
    const cell = numbers(beginCell().uint(0xdd, 8), 64, [1, 2, 4, 5, 6, 7]).endCell()
    expect(parseGasLimitsPrices(cell)).toEqual({
      flat_gas_limit: 0n,
      flat_gas_price: 0n,
      gas_price: 1n,
      gas_limit: 2n,
      special_gas_limit: 2n,
      ...rest,
    })
  })

  test('of another tag are refused', () => {
    const cell = numbers(flat(beginCell()).uint(0xdf, 8), 64, [1, 2, 3, 4, 5, 6, 7]).endCell()
    expect(failureOf(() => parseGasLimitsPrices(cell))).toBe('malformed')
  })
})
