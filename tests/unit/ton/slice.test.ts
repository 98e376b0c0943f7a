import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../src/ton/builder.ts'
import { beginExotic, beginParse, type Slice } from '../../../src/ton/slice.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'

const BYTES = Buffer.from('0123456789abcdeffedcba9876543210f0e1d2c3b4a5968778695a4b3c2d1e0f', 'hex')
const BITS = BigInt(`0x${BYTES.toString('hex')}`)
const LENGTH = BYTES.length * 8

const whole = (): Slice => beginParse(beginCell().bytes(BYTES).endCell())
const part = (at: number, n: number): bigint => (BITS >> BigInt(LENGTH - at - n)) & ((1n << BigInt(n)) - 1n)

describe('integers', () => {
  test('of every width at every bit position are exact', () => {
    for (let at = 0; at < 24; at++)
      for (let n = 0; n <= 48; n++) {
        const slice = whole().skip(at)
        expect(slice.preloadUint(n)).toBe(Number(part(at, n)))
        expect(slice.uint(n)).toBe(Number(part(at, n)))
        expect(slice.position).toBe(at + n)
        expect(whole().skip(at).int(n)).toBe(Number(BigInt.asIntN(n, part(at, n))))
      }
  })

  test('of more than 48 bits are bigint and exact', () => {
    for (let at = 0; at < 9; at++)
      for (let n = 0; n <= LENGTH - at; n++) {
        expect(whole().skip(at).uintBig(n)).toBe(part(at, n))
        expect(whole().skip(at).intBig(n)).toBe(BigInt.asIntN(n, part(at, n)))
      }
  })
})

describe('runs of bits', () => {
  test('bits are left-aligned with zeros behind', () => {
    for (let at = 0; at < 9; at++)
      for (let n = 0; n <= 40; n++) {
        const { bytes, length } = whole().skip(at).bits(n)
        expect(length).toBe(n)
        expect(bytes.length).toBe((n + 7) >> 3)
        const padded = BigInt(`0x${bytes.toString('hex') || '0'}`)
        expect(padded).toBe(part(at, n) << BigInt(bytes.length * 8 - n))
      }
  })

  test('bytes may stand at any bit', () => {
    for (let at = 0; at < 9; at++)
      for (let n = 0; n <= 8; n++)
        expect(whole().skip(at).bytes(n).toString('hex')).toBe(
          n === 0
            ? ''
            : part(at, n * 8)
                .toString(16)
                .padStart(n * 2, '0'),
        )
  })

  test('equal bits are counted to the end of the slice', () => {
    const slice = beginParse(beginCell().uint(0b1110000001, 10).endCell())
    expect(slice.sameBits(true)).toBe(3)
    expect(slice.sameBits(false)).toBe(0)
    expect(slice.skip(3).sameBits(false)).toBe(6)
    expect(slice.skip(6).sameBits(true)).toBe(1)
    expect(slice.skip(1).sameBits(true)).toBe(0)
  })
})

describe('variable-length integers', () => {
  test('hold up to one byte less than their bound', () => {
    const largest = (1n << 120n) - 1n
    expect(beginParse(beginCell().coins(largest).endCell()).coins()).toBe(largest)
    expect(beginParse(beginCell().varUint(5n, 7).endCell()).varUint(7)).toBe(5n)
    expect(beginParse(beginCell().varUint(0n, 32).endCell()).varUint(32)).toBe(0n)
  })

  test('longer than their bound are malformed', () => {
    const seven = beginCell().uint(7, 3).uint(1, 56).endCell()
    expect(failureOf(() => beginParse(seven).varUint(7))).toBe('malformed')
  })
})

describe('references', () => {
  const leaf = (value: number) => beginCell().uint(value, 8).endCell()
  const parent = beginCell().ref(leaf(1)).ref(leaf(2)).ref(leaf(3)).endCell()
  const value = (slice: Slice, i: number) => beginParse(slice.preloadRef(i)).uint(8)

  test('come in order', () => {
    const slice = beginParse(parent)
    expect([value(slice, 0), value(slice, 2)]).toEqual([1, 3])
    expect(slice.remainingRefs).toBe(3)
    expect(beginParse(slice.ref()).uint(8)).toBe(1)
    expect(beginParse(slice.skipRefs().ref()).uint(8)).toBe(3)
    expect(slice.remainingRefs).toBe(0)
  })

  test('of Maybe ^X are null for a zero bit', () => {
    const slice = beginParse(beginCell().maybeRef(null).maybeRef(leaf(7)).endCell())
    expect(slice.maybeRef()).toBeNull()
    expect(beginParse(slice.maybeRef()!).uint(8)).toBe(7)
    slice.expectEnd()
  })

  test('of a clone do not move the slice', () => {
    const slice = beginParse(parent)
    slice.clone().skipRefs(3)
    expect(slice.remainingRefs).toBe(3)
  })
})

describe('reading past the end', () => {
  const reads: Record<string, (slice: Slice) => unknown> = {
    bit: (s) => s.bit(),
    uint: (s) => s.uint(1),
    'uint of 48 bits': (s) => s.uint(48),
    preloadUint: (s) => s.preloadUint(8),
    int: (s) => s.int(8),
    uintBig: (s) => s.uintBig(64),
    'uintBig of 256 bits': (s) => s.uintBig(256),
    intBig: (s) => s.intBig(257),
    bytes: (s) => s.bytes(1),
    bits: (s) => s.bits(3),
    skip: (s) => s.skip(1),
    'skip backwards': (s) => s.skip(-1),
    ref: (s) => s.ref(),
    preloadRef: (s) => s.preloadRef(0),
    skipRefs: (s) => s.skipRefs(1),
    maybeRef: (s) => s.maybeRef(),
    coins: (s) => s.coins(),
  }
  for (const [name, read] of Object.entries(reads))
    test(`${name} is malformed`, () => {
      expect(failureOf(() => read(whole().skip(LENGTH)))).toBe('malformed')
    })

  test('a reference that a Maybe promises must be there', () => {
    expect(failureOf(() => beginParse(beginCell().bit(true).endCell()).maybeRef())).toBe('malformed')
  })
})

test('what is left over is malformed where the end is expected', () => {
  expect(failureOf(() => whole().skip(LENGTH).expectEnd())).toBe('none')
  expect(
    failureOf(() =>
      whole()
        .skip(LENGTH - 1)
        .expectEnd(),
    ),
  ).toBe('malformed')
  const parent = beginCell().ref(beginCell().endCell()).endCell()
  expect(failureOf(() => beginParse(parent).expectEnd())).toBe('malformed')
})

test('exotic cells are read only where one is expected', () => {
  const library = libraryCell(Buffer.alloc(32, 9))
  expect(failureOf(() => beginParse(library))).toBe('malformed')
  expect(beginExotic(library).uint(8)).toBe(2)
})
