import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../src/ton/builder.ts'
import { forwardFee } from '../../../src/ton/forward-fee.ts'
import type { MsgForwardPrices } from '../../../src/ton/tlb/msg-forward-prices.ts'

/** Those of the basechain since 2024: 0.0004 for the message, 0.00004 for each cell. */
const PRICES: MsgForwardPrices = {
  lump_price: 400_000n,
  bit_price: 26_214_400n,
  cell_price: 2_621_440_000n,
  ihr_price_factor: 98_304,
  first_frac: 21_845,
  next_frac: 21_845,
}

const EMPTY = beginCell().endCell()

describe('the fee of carrying a message', () => {
  test('is the lump for one cell, whatever is in it', () => {
    expect(forwardFee(PRICES, EMPTY)).toBe(400_000n)
    expect(forwardFee(PRICES, beginCell().uint(0, 1000).endCell())).toBe(400_000n)
  })

  test('counts every different cell below once', () => {
    const child = beginCell().uint(1, 32).endCell()
    const one = 40_000n + 32n * 400n
    expect(forwardFee(PRICES, beginCell().ref(child).endCell())).toBe(400_000n + one)
    expect(forwardFee(PRICES, beginCell().ref(child).ref(child).endCell())).toBe(400_000n + one)
    const twice = beginCell().ref(child).endCell()
    expect(forwardFee(PRICES, beginCell().ref(child).ref(twice).endCell())).toBe(400_000n + one + 40_000n)
  })

  test('is rounded up once', () => {
    const prices = { ...PRICES, bit_price: 1n, cell_price: 1n }
    expect(forwardFee(prices, beginCell().ref(EMPTY).endCell())).toBe(400_001n)
  })

  test('does not grow with the ways to a cell', () => {
    let cell = EMPTY
    for (let i = 0; i < 500; i++) cell = beginCell().ref(cell).ref(cell).ref(cell).ref(cell).endCell()
    expect(forwardFee(PRICES, cell)).toBe(400_000n + 500n * 40_000n)
  })
})
