import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import {
  extraCurrencies,
  loadCurrencyCollection,
  parseToMint,
  skipCurrencyCollection,
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
