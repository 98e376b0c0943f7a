import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SHARD_ALL, shardContains, shardHex } from '../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  loadShardIdent,
  shardChild,
  shardOf,
  shardParent,
  shardPrefixLength,
} from '../../../../src/ton/tlb/shard-ident.ts'
import { failureOf } from '../../../support/failure.ts'

const ident = (bits: number, workchain: number, prefix: bigint, tag = 0) =>
  beginParse(beginCell().uint(tag, 2).uint(bits, 6).int(workchain, 32).uint(prefix, 64).endCell())

const shards = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  .map(([bits, value]) => ({ bits, prefix: value & -(1n << BigInt(64 - bits)) }))

describe('ShardIdent', () => {
  test('becomes the shard id with its marker bit', () => {
    expect(shardHex(shardOf(loadShardIdent(ident(0, -1, 0n))))).toBe('8000000000000000')
    expect(shardHex(shardOf(loadShardIdent(ident(2, 0, 0x4000000000000000n))))).toBe('6000000000000000')
    expect(shardOf(loadShardIdent(ident(0, 0, 0n)))).toBe(SHARD_ALL)
  })

  test('may carry bits behind its prefix, which do not count', () => {
    expect(shardOf(loadShardIdent(ident(0, 0, 1n << 63n)))).toBe(SHARD_ALL)
  })

  test('refuses a long prefix, the invalid workchain and another tag', () => {
    expect(failureOf(() => loadShardIdent(ident(61, 0, 0n)))).toBe('malformed')
    expect(failureOf(() => loadShardIdent(ident(0, -0x80000000, 0n)))).toBe('malformed')
    expect(failureOf(() => loadShardIdent(ident(0, 0, 0n, 1)))).toBe('malformed')
  })
})

describe('shard ids', () => {
  test('of halves and parents fit each other', () => {
    fc.assert(
      fc.property(shards, ({ bits, prefix }) => {
        const shard = shardOf({ shard_pfx_bits: bits, workchain_id: 0, shard_prefix: prefix })
        expect(shardPrefixLength(shard)).toBe(bits)
        for (const right of [false, true]) {
          const half = shardChild(shard, right)
          expect(shardParent(half)).toBe(shard)
          expect(shardPrefixLength(half)).toBe(bits + 1)
          expect(shardContains(shard, half)).toBe(true)
        }
        expect(shardContains(shardChild(shard, false), prefix)).toBe(true)
        expect(shardContains(shardChild(shard, true), prefix)).toBe(false)
      }),
    )
  })

  test('without a marker are refused', () => {
    expect(failureOf(() => shardPrefixLength(0n))).toBe('malformed')
  })
})
