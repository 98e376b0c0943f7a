import { expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseValueFlow } from '../../../../src/ton/tlb/value-flow.ts'
import { failureOf } from '../../../support/failure.ts'

const OTHER = beginCell().uint(1, 8).endCell()
const plain = (builder: Builder, grams: bigint): Builder => builder.coins(grams).bit(false)
const four = (from: bigint) => [0n, 1n, 2n, 3n].reduce((b, n) => plain(b, from + n), beginCell()).endCell()
const value = (grams: bigint) => ({ grams, other: null })

const COMMON = {
  from_prev_blk: value(10n),
  to_next_blk: value(11n),
  imported: value(12n),
  exported: value(13n),
  fees_imported: value(20n),
  recovered: value(21n),
  created: value(22n),
  minted: value(23n),
}

test('ValueFlow of the first form', () => {
  const cell = plain(beginCell().uint(0xb8e48dfb, 32).ref(four(10n)), 5n)
    .ref(four(20n))
    .endCell()
  expect(parseValueFlow(cell)).toEqual({ _: 'value_flow', ...COMMON, fees_collected: value(5n), burned: null })
})

test('ValueFlow of the second form, with extra currencies between its cells', () => {
  const head = beginCell().uint(0x3ebf98b7, 32).ref(four(10n)).coins(5n).maybeRef(OTHER)
  expect(parseValueFlow(plain(head, 6n).ref(four(20n)).endCell())).toEqual({
    _: 'value_flow_v2',
    ...COMMON,
    fees_collected: { grams: 5n, other: OTHER },
    burned: value(6n),
  })
})

test('another tag is refused', () => {
  const cell = plain(beginCell().uint(1, 32).ref(four(10n)), 5n)
    .ref(four(20n))
    .endCell()
  expect(failureOf(() => parseValueFlow(cell))).toBe('malformed')
})
