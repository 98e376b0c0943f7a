import { expect, test } from 'bun:test'
import { BitReader, BitString } from '@ton/core'
import fc from 'fast-check'
import { type Builder, beginCell, sliceToCell } from '../../src/ton/builder.ts'
import { beginParse, type Slice } from '../../src/ton/slice.ts'
import { failureOf } from '../support/failure.ts'

/** One field: how it is written, and what reading it back must give. */
interface Field {
  bits: number
  write: (builder: Builder) => unknown
  check: (slice: Slice) => void
}

const uintField = fc.integer({ min: 1, max: 48 }).chain((bits) =>
  fc.nat({ max: 2 ** 31 - 1 }).map((seed): Field => {
    const value = bits >= 31 ? seed : seed % 2 ** bits
    return { bits, write: (b) => b.uint(value, bits), check: (s) => expect(s.uint(bits)).toBe(value) }
  }),
)
const intField = fc.integer({ min: 1, max: 257 }).chain((bits) =>
  fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n }).map(
    (value): Field => ({
      bits,
      write: (b) => b.int(value, bits),
      check: (s) => {
        expect(s.clone().intBig(bits)).toBe(value)
        if (bits <= 48) expect(s.clone().int(bits)).toBe(Number(value))
        s.skip(bits)
      },
    }),
  ),
)
const bigField = fc.integer({ min: 0, max: 300 }).chain((bits) =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map(
    (value): Field => ({
      bits,
      write: (b) => b.uint(value, bits),
      check: (s) => expect(s.uintBig(bits)).toBe(value),
    }),
  ),
)
const bytesField = fc.uint8Array({ maxLength: 33 }).map(
  (value): Field => ({
    bits: value.length * 8,
    write: (b) => b.bytes(value),
    check: (s) => expect(s.bytes(value.length)).toEqual(Buffer.from(value)),
  }),
)
const amountField = fc.bigInt({ min: 0n, max: (1n << 120n) - 1n }).map(
  (value): Field => ({
    bits: 4 + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2) * 8),
    write: (b) => b.coins(value),
    check: (s) => expect(s.coins()).toBe(value),
  }),
)
const bitField = fc
  .boolean()
  .map((value): Field => ({ bits: 1, write: (b) => b.bit(value), check: (s) => expect(s.bit()).toBe(value) }))

const fields = fc
  .array(fc.oneof(uintField, intField, bigField, bytesField, amountField, bitField), { maxLength: 20 })
  .map((all) => {
    let room = 1023
    return all.filter(({ bits }) => {
      if (bits > room) return false
      room -= bits
      return true
    })
  })

test('fields read back as they were written', () => {
  fc.assert(
    fc.property(fields, (all) => {
      const builder = beginCell()
      for (const { write } of all) write(builder)
      const length = all.reduce((sum, { bits }) => sum + bits, 0)
      expect(builder.bitLength).toBe(length)
      const slice = beginParse(builder.endCell())
      for (const { check } of all) check(slice)
      slice.expectEnd()
      expect(failureOf(() => slice.bit())).toBe('malformed')
    }),
    { numRuns: 500 },
  )
})

const window = fc
  .record({ bytes: fc.uint8Array({ minLength: 127, maxLength: 127 }), at: fc.nat(1000), bits: fc.nat(1000) })
  .map(({ bytes, at, bits }) => ({ bytes: Buffer.from(bytes), at, bits: Math.min(bits, 1016 - at) }))

test('any run of bits is the one that @ton/core reads', () => {
  fc.assert(
    fc.property(window, ({ bytes, at, bits }) => {
      const slice = beginParse(beginCell().bytes(bytes).endCell()).skip(at)
      const reader = new BitReader(new BitString(bytes, 0, 1016))
      reader.skip(at)
      const theirs = reader.loadBits(bits)
      const ours = slice.clone().bits(bits)
      expect(new BitString(ours.bytes, 0, ours.length).equals(theirs)).toBe(true)
      expect(new BitString(ours.bytes, 0, ours.length).toString()).toBe(theirs.toString())
      const cell = sliceToCell(slice)
      expect(cell.bits).toBe(1016 - at)
      expect(beginParse(cell).bits(bits)).toEqual(ours)
    }),
    { numRuns: 500 },
  )
})
