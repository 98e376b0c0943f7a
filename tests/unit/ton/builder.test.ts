import { describe, expect, test } from 'bun:test'
import { beginCell as tonCoreCell } from '@ton/core'
import { type Builder, beginCell, sliceToCell } from '../../../src/ton/builder.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'

const HASH = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 8))

test('a cell equals the one that @ton/core builds', () => {
  const ours = beginCell()
    .bit(true)
    .uint(5, 3)
    .int(-3, 17)
    .uint((1n << 200n) - 1n, 200)
    .int(-(1n << 63n), 64)
    .bytes(HASH)
    .coins(123_456_789_012n)
    .varUint(300n, 32)
    .maybeRef(beginCell().uint(1, 1).endCell())
    .maybeRef(null)
    .ref(beginCell().endCell())
    .endCell()
  const theirs = tonCoreCell()
    .storeBit(true)
    .storeUint(5, 3)
    .storeInt(-3, 17)
    .storeUint((1n << 200n) - 1n, 200)
    .storeInt(-(1n << 63n), 64)
    .storeBuffer(HASH)
    .storeCoins(123_456_789_012n)
    .storeVarUint(300n, 5)
    .storeMaybeRef(tonCoreCell().storeUint(1, 1).endCell())
    .storeMaybeRef(null)
    .storeRef(tonCoreCell().endCell())
    .endCell()
  expect(ours.bits).toBe(theirs.bits.length)
  expect(ours.hash().toString('hex')).toBe(theirs.hash().toString('hex'))
})

test('the empty cell has its well-known hash', () => {
  expect(beginCell().endCell().hash().toString('hex')).toBe(
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  )
})

test('bytes and bits go to any position', () => {
  for (let shift = 0; shift < 9; shift++) {
    const slice = beginParse(
      beginCell()
        .uint(0, shift)
        .bytes(HASH)
        .bits({ bytes: Buffer.of(0b10110000), length: 4 })
        .endCell(),
    )
    expect(slice.skip(shift).bytes(32)).toEqual(HASH)
    expect(slice.uint(4)).toBe(0b1011)
    slice.expectEnd()
  }
})

test('a slice is copied from where it stands and does not move', () => {
  const source = beginCell().uint(0xabc, 12).ref(beginCell().bit(true).endCell()).ref(beginCell().endCell()).endCell()
  const slice = beginParse(source).skip(4).skipRefs()
  const copy = beginParse(sliceToCell(slice))
  expect([copy.remainingBits, copy.remainingRefs]).toEqual([8, 1])
  expect(copy.uint(8)).toBe(0xbc)
  expect([slice.remainingBits, slice.remainingRefs]).toEqual([8, 1])
})

test('a builder goes on after a cell was made of it, and the cell stays', () => {
  const builder = beginCell().uint(1, 4)
  const first = builder.endCell()
  const second = builder.uint(2, 4).endCell()
  expect(beginParse(first).uint(4)).toBe(1)
  expect(first.bits).toBe(4)
  expect(beginParse(second).uint(8)).toBe(0x12)
})

describe('too much', () => {
  const full = (): Builder => beginCell().uint(0, 1000).uint(0, 23)
  const empty = beginCell().endCell()
  const cases: Record<string, () => unknown> = {
    'a bit too many': () => full().bit(false),
    'an integer too many': () => full().uint(0, 1),
    'bytes too many': () => full().bytes(Buffer.alloc(1)),
    'bits too many': () => full().bits({ bytes: Buffer.alloc(1), length: 3 }),
    'a slice too many': () => full().slice(beginParse(beginCell().bit(true).endCell())),
    'a fifth reference': () => beginCell().ref(empty).ref(empty).ref(empty).ref(empty).ref(empty),
    'a number wider than its field': () => beginCell().uint(256, 8),
    'a negative unsigned number': () => beginCell().uint(-1, 8),
    'a signed number beyond its field': () => beginCell().int(128, 8),
    'a signed number below its field': () => beginCell().int(-129, 8),
    'an amount of more than 15 bytes': () => beginCell().coins(1n << 120n),
    'a negative amount': () => beginCell().coins(-1n),
  }
  for (const [name, run] of Object.entries(cases))
    test(`${name} is refused`, () => expect(failureOf(run)).toBe('limit'))

  test('the largest cell is not', () => {
    expect(full().endCell().bits).toBe(1023)
  })
})
