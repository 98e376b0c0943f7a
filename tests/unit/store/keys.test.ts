import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { transactionKey } from '../../../src/model/trace-changes.ts'
import {
  addressKey,
  balanceKey,
  behind,
  blockKey,
  descendingU64,
  hashKey,
  hashU64Key,
  messageKey,
  readAddressKey,
  readBalanceKey,
  readBlockKey,
  readMessageKey,
  readTxKey,
  sortableInt,
  txKey,
  u32Key,
  u32u64Key,
  u64Key,
} from '../../../src/store/keys.ts'

const u32 = fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }))
const i32 = fc.oneof(fc.constantFrom(-0x80000000, -1, 0, 1, 0x7fffffff), fc.integer())
const edges64 = [0n, 1n, 1n << 53n, (1n << 53n) + 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n]
const u64 = fc.oneof(fc.constantFrom(...edges64), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }))
const i64 = u64.map((value) => BigInt.asIntN(64, value))
const u128 = fc.oneof(u64, fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }))
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const place = fc.tuple(u32, fc.integer({ min: 0, max: 0xffffff })).map(([seqno, index]) => transactionKey(seqno, index))

type Part = number | bigint | Buffer

const compareParts = (a: readonly Part[], b: readonly Part[]): number => {
  for (const [i, x] of a.entries()) {
    const y = b[i]!
    const result = Buffer.isBuffer(x) && Buffer.isBuffer(y) ? x.compare(y) : x < y ? -1 : x > y ? 1 : 0
    if (result !== 0) return result
  }
  return 0
}

/** `parts` says what the order of the keys is to be. */
const expectOrder = <T>(values: fc.Arbitrary<T>, key: (value: T) => Buffer, parts: (value: T) => Part[]): void => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(Math.sign(key(a).compare(key(b)))).toBe(Math.sign(compareParts(parts(a), parts(b))))
    }),
    { numRuns: 500 },
  )
}

describe('keys stand in the order of their values', () => {
  test('numbers', () => {
    expectOrder(
      fc.tuple(u32, place),
      ([value, at]) => u32Key(value, txKey(at)),
      (value) => value,
    )
    expectOrder(
      fc.tuple(u64, place),
      ([value, at]) => u64Key(value, txKey(at)),
      (value) => value,
    )
    expectOrder(
      fc.tuple(u32, u64, place, fc.integer({ min: 0, max: 0xffff })),
      ([first, second, at, n]) => u32u64Key(first, second, messageKey(txKey(at), n)),
      (value) => value,
    )
  })

  test('hashes by their beginning', () => {
    expectOrder(
      fc.tuple(hash, u64, place),
      ([bytes, lt, at]) => hashU64Key(bytes, lt, txKey(at)),
      ([bytes, lt, at]) => [bytes.subarray(0, 8), lt, at],
    )
    expectOrder(
      fc.tuple(hash, place),
      ([bytes, at]) => hashKey(bytes, txKey(at)),
      ([bytes, at]) => [bytes.subarray(0, 8), at],
    )
  })

  test('blocks by workchain, signed shard, seqno', () => {
    const block = fc.record({ workchain: i32, shard: i64, seqno: u32 })
    expectOrder(block, blockKey, ({ workchain, shard, seqno }) => [workchain, shard, seqno])
    fc.assert(fc.property(block, (id) => expect(readBlockKey(blockKey(id))).toEqual(id)))
  })

  test('addresses', () => {
    const address = fc.record({ workchain: i32, hash })
    expectOrder(address, addressKey, ({ workchain, hash: bytes }) => [workchain, bytes])
    fc.assert(fc.property(address, (value) => expect(readAddressKey(addressKey(value))).toEqual(value)))
  })

  test('balances downwards, then accounts', () => {
    const account = fc.tuple(u128, fc.record({ workchain: i32, hash }), u32)
    expectOrder(
      account,
      ([balance, address, id]) => balanceKey(balance, address, id),
      ([balance, { workchain, hash: bytes }, id]) => [-balance, workchain, bytes.subarray(0, 8), id],
    )
    fc.assert(
      fc.property(account, ([balance, address, id]) =>
        expect(readBalanceKey(balanceKey(balance, address, id))).toEqual({ balance, id }),
      ),
    )
  })
})

test('places are read as they were written', () => {
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 0xffff }), (at, n) => {
      expect(readTxKey(txKey(at))).toBe(at)
      expect(readMessageKey(messageKey(txKey(at), n))).toEqual({ transaction: at, n })
    }),
  )
})

test('what is behind a prefix is behind all that begins with it, and nothing is between', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((value) => Buffer.from(value))
  fc.assert(
    fc.property(bytes, bytes, (prefix, other) => {
      const end = behind(prefix)
      const begins = other.subarray(0, prefix.length).equals(prefix)
      const inside = other.compare(prefix) >= 0 && (!end || other.compare(end) < 0)
      expect(inside).toBe(begins)
    }),
    { numRuns: 1000, examples: [[Buffer.of(255, 255), Buffer.of(255, 255, 3)]] },
  )
})

test('signed numbers of up to 257 bits stand in their order, and none begins another', () => {
  const number = fc.oneof(
    fc.bigInt({ min: -300n, max: 300n }),
    fc.bigInt({ min: -(1n << 256n), max: 1n << 256n }),
    fc.tuple(fc.nat(256), fc.integer({ min: -1, max: 1 })).map(([bits, more]) => (1n << BigInt(bits)) + BigInt(more)),
  )
  const signed = fc.tuple(number, fc.boolean()).map(([value, turned]) => (turned ? -value : value))
  fc.assert(
    fc.property(signed, signed, fc.uint8Array({ maxLength: 4 }), (a, b, rest) => {
      const [one, other] = [sortableInt(a), sortableInt(b)]
      const order = a < b ? -1 : a > b ? 1 : 0
      expect(Math.sign(one.compare(other))).toBe(order)
      if (order !== 0) expect(Math.sign(Buffer.concat([one, rest]).compare(other))).toBe(order)
    }),
    { numRuns: 2_000 },
  )
  expect(() => sortableInt(1n << 1000n)).toThrow('does not fit')
})

test('descending numbers', () => {
  const order = [0n, 1n, 255n, 256n, (1n << 64n) - 1n].map(descendingU64)
  expect(order.toSorted((a, b) => b.compare(a))).toEqual(order)
})
