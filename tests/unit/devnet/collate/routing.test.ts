import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type AddressPrefix,
  interpolate,
  route,
  type ShardId,
  shardHolds,
} from '../../../../src/devnet/collate/routing.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { shardChild } from '../../../../src/ton/tlb/shard-ident.ts'

const prefix = fc.bigInt(0n, (1n << 64n) - 1n)
const path = fc.array(fc.boolean(), { maxLength: 12 })
const at = (workchain: number, value: bigint): AddressPrefix => ({ workchain, prefix: value })

/** The shard at the end of a path of halves. */
const shardAt = (halves: readonly boolean[]): ShardId => ({
  workchain: 0,
  shard: halves.reduce((shard, right) => shardChild(shard, right), SHARD_ALL),
})

/** An address that starts as the shard does. */
const inside = (halves: readonly boolean[], value: bigint): AddressPrefix => {
  const bits = BigInt(halves.length)
  const start = halves.reduce((sum, right) => (sum << 1n) | (right ? 1n : 0n), 0n)
  return at(0, (start << (64n - bits)) | (value & ((1n << (64n - bits)) - 1n)))
}

describe('hypercube routing', () => {
  test('leaves a message alone that is there', () => {
    expect(route(at(0, 5n), at(0, 7n), { workchain: 0, shard: SHARD_ALL })).toEqual({ cur: 96, next: 96 })
  })

  test('goes to and from the masterchain in one step', () => {
    const shard = { workchain: 0, shard: SHARD_ALL }
    expect(route(at(0, 5n), at(MASTERCHAIN, 7n), shard)).toEqual({ cur: 0, next: 96 })
    const master = { workchain: MASTERCHAIN, shard: SHARD_ALL }
    expect(route(at(MASTERCHAIN, 5n), at(0, 7n), master)).toEqual({ cur: 0, next: 96 })
  })

  test('corrects one digit that leads out of the shard, the first one', () => {
    const shard = shardAt([false, false, false, false])
    const way = route(at(0, 0n), at(0, 0xffn << 56n), shard)
    expect(way).toEqual({ cur: 32, next: 36 })
    expect(interpolate(at(0, 0n), at(0, 0xffn << 56n), way.next)).toEqual(at(0, 0xfn << 60n))
  })

  test('starts in the shard, ends outside of it, and comes nearer by at most one digit', () => {
    fc.assert(
      fc.property(path, prefix, prefix, (halves, value, destination) => {
        const shard = shardAt(halves)
        const source = inside(halves, value)
        const target = at(0, destination)
        const { cur, next } = route(source, target, shard)
        if (shardHolds(shard, target)) return expect([cur, next]).toEqual([96, 96])
        expect(shardHolds(shard, interpolate(source, target, cur))).toBe(true)
        expect(shardHolds(shard, interpolate(source, target, next))).toBe(false)
        expect(next - cur).toBe(4)
      }),
    )
  })

  test('brings every message home over shards of one size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), prefix, prefix, (depth, source, destination) => {
        const target = at(0, destination)
        let here = at(0, source)
        for (let hops = 0; ; hops++) {
          expect(hops).toBeLessThan(4)
          const halves = Array.from({ length: depth }, (_, i) => ((here.prefix >> BigInt(63 - i)) & 1n) === 1n)
          const shard = shardAt(halves)
          const { next } = route(here, target, shard)
          here = interpolate(here, target, next)
          if (shardHolds(shard, target)) break
        }
        expect(here).toEqual(target)
      }),
    )
  })
})
