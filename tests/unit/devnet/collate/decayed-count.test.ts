import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { countedOn, decayed } from '../../../../src/devnet/collate/decayed-count.ts'

describe('a count that decays', () => {
  test('is what the exponential function says, to the last bits of a double', () => {
    fc.assert(
      fc.property(fc.bigInt(1n << 40n, (1n << 63n) - 1n), fc.integer({ min: 0, max: 2_000_000 }), (value, k) => {
        const exact = Number(value) * Math.exp(-k / 65536)
        expect(Math.abs(Number(decayed(value, k)) - exact)).toBeLessThanOrEqual(1 + exact * 1e-14)
      }),
    )
  })

  test('has the values that are correct to the last digit', () => {
    expect(decayed(3167801306015831286n, 4003)).toBe(2980099890648636481n)
    expect(decayed(9094494907266047891n, 17239)).toBe(6990995826652297465n)
    expect(decayed(5487867407433215099n, 239017)).toBe(143048684491504152n)
    expect(decayed(46462010749955243n, 239017)).toBe(1211095134625318n)
  })

  test('never grows, and falls the more the longer it lasts', () => {
    const uint64 = fc.bigInt(0n, (1n << 64n) - 1n)
    const time = fc.integer({ min: 0, max: 0xffffffff })
    fc.assert(
      fc.property(uint64, time, time, (value, a, b) => {
        const [short, long] = [Math.min(a, b), Math.max(a, b)]
        expect(decayed(value, short) <= value).toBe(true)
        expect(decayed(value, long) <= decayed(value, short) + 1n).toBe(true)
      }),
    )
  })

  test('is nothing after very long, and what it was after no time', () => {
    expect(decayed((1n << 64n) - 1n, 46 * 65536)).toBe(0n)
    expect(decayed(0n, 77)).toBe(0n)
    expect(decayed(77n, 0)).toBe(77n)
  })

  test('starts with the blocks that were just made', () => {
    const never = { last_updated: 0, total: 0n, cnt2048: 0n, cnt65536: 0n }
    const once = countedOn(never, 2, 1000)
    expect(once).toEqual({ last_updated: 1000, total: 2n, cnt2048: 2n << 32n, cnt65536: 2n << 32n })
    const later = countedOn(once, 1, 1000 + 48 * 2048)
    expect(later).toMatchObject({ last_updated: 1000 + 48 * 2048, total: 3n, cnt2048: 1n << 32n })
    expect(later.cnt65536 > 1n << 32n && later.cnt65536 < 3n << 32n).toBe(true)
  })
})
