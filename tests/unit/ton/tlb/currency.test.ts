import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import {
  addCurrencies,
  extraCurrencies,
  extraCurrencyDict,
  loadCurrencyCollection,
  parseToMint,
  skipCurrencyCollection,
  subtractCurrencies,
} from '../../../../src/ton/tlb/currency.ts'
import { parseCell } from '../../../../src/ton/tlb/tag.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { failureOf } from '../../../support/failure.ts'

const amounts = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 1, max: 0xffffffff }), fc.bigInt({ min: 1n, max: 2n ** 248n - 1n })),
  { selector: ([id]) => id, minLength: 1, maxLength: 20 },
)

const dictionary = (entries: readonly (readonly [number, bigint])[]): Cell =>
  encodeDict(
    entries.map(([id, amount]) => ({
      key: id.toString(2).padStart(32, '0'),
      value: (builder) => builder.varUint(amount, 32),
    })),
    32,
    { label: (fitting) => fitting[fitting.length - 1]! },
  )

test('grams and extra currencies are exact and ascending by id', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }), amounts, (grams, entries) => {
      const cell = beginCell().coins(grams).maybeRef(dictionary(entries)).endCell()
      const value = parseCell(cell, loadCurrencyCollection)
      expect(value.grams).toBe(grams)
      expect(extraCurrencies(value.other)).toEqual(entries.toSorted(([a], [b]) => a - b))
      parseCell(cell, skipCurrencyCollection)
    }),
  )
})

test('parameter 7 is a dictionary of its own', () => {
  expect(parseToMint(beginCell().bit(false).endCell())).toEqual([])
  expect(
    parseToMint(
      beginCell()
        .bit(true)
        .ref(dictionary([[239, 666n]]))
        .endCell(),
    ),
  ).toEqual([[239, 666n]])
})

test('a dictionary with more entries than any network has is refused', () => {
  let node = beginCell().uint(0, 2).varUint(1n, 32).endCell()
  for (let i = 0; i < 32; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
  expect(failureOf(() => extraCurrencies(node))).toBe('malformed')
})

test('amounts are added and taken away currency by currency', () => {
  const extra = fc.uniqueArray(fc.tuple(fc.nat(9), fc.bigInt({ min: 1n, max: 2n ** 247n - 1n })), {
    selector: ([id]) => id,
  })
  const some = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 100n }), extra)
  fc.assert(
    fc.property(some, some, ([gramsA, extraA], [gramsB, extraB]) => {
      const a = { grams: gramsA, other: extraCurrencyDict(extraA) }
      const b = { grams: gramsB, other: extraCurrencyDict(extraB) }
      const sum = addCurrencies(a, b)
      expect(sum.grams).toBe(gramsA + gramsB)
      const [left, right] = [new Map(extraA), new Map(extraB)]
      for (const [id, amount] of extraCurrencies(sum.other))
        expect(amount).toBe((left.get(id) ?? 0n) + (right.get(id) ?? 0n))
      const back = subtractCurrencies(sum, b)
      expect(back.grams).toBe(gramsA)
      expect(back.other?.hash()).toEqual(a.other?.hash())
      expect(subtractCurrencies(a, a)).toEqual({ grams: 0n, other: null })
    }),
    { numRuns: 50 },
  )
  const one = { grams: 1n, other: extraCurrencyDict([[5, 1n]]) }
  expect(failureOf(() => subtractCurrencies({ grams: 0n, other: null }, { grams: 1n, other: null }))).toBe('limit')
  expect(failureOf(() => subtractCurrencies({ grams: 1n, other: null }, one))).toBe('limit')
})
