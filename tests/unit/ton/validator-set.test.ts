import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockInfo } from '../../../src/ton/tlb/block-info.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { shardOf } from '../../../src/ton/tlb/shard-ident.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import {
  type CatchainConfig,
  parseCatchainConfig,
  parseValidatorSet,
  type ValidatorSet,
} from '../../../src/ton/tlb/validators.ts'
import { validatorSubset } from '../../../src/ton/validator-set.ts'
import { recordedBlocks, recordedZerostate } from '../../support/recorded-blocks.ts'

const numbered = (weights: readonly bigint[], main: number): ValidatorSet => ({
  utime_since: 0,
  utime_until: 1,
  total: weights.length,
  main,
  total_weight: weights.reduce((sum, weight) => sum + weight, 0n),
  list: weights.map((weight, i) => ({ public_key: Buffer.alloc(32, i), weight, adnl_addr: Buffer.alloc(32, 255 - i) })),
})

const rules = (shuffle_mc_validators: boolean, shard_validators_num: number): CatchainConfig => ({
  shuffle_mc_validators,
  mc_catchain_lifetime: 1,
  shard_catchain_lifetime: 1,
  shard_validators_lifetime: 1,
  shard_validators_num,
})

const masterchain = { workchain: MASTERCHAIN, shard: SHARD_ALL }
const positionsOf = (subset: { validators: { public_key: Buffer }[] }): number[] =>
  subset.validators.map(({ public_key }) => public_key[0]!)

describe('on the recorded chain', () => {
  const { config } = parseMcStateExtra(parseShardStateUnsplit(recordedZerostate()).custom!).config
  const set = parseValidatorSet(configParam(config, 34)!)
  const catchain = parseCatchainConfig(configParam(config, 28)!)

  test('every header names the hash of the subset that signs its block, in the masterchain and in shards', () => {
    for (const block of recordedBlocks()) {
      const info = parseBlockInfo(parseBlock(block).info)
      const shard = { workchain: info.shard.workchain_id, shard: shardOf(info.shard) }
      const subset = validatorSubset(set, catchain, shard, info.gen_catchain_seqno)
      expect(subset.validator_list_hash_short).toBe(info.gen_validator_list_hash_short)
    }
  })

  test('weights count in the masterchain, in a shard every validator weighs 1', () => {
    expect(validatorSubset(set, catchain, masterchain, 0).total_weight).toBe(set.total_weight)
    expect(validatorSubset(set, catchain, { workchain: 0, shard: SHARD_ALL }, 0).total_weight).toBe(1n)
  })
})

describe('masterchain', () => {
  const weights = [9n, 8n, 7n, 6n, 5n]

  test('the first `main` of the list in order, or shuffled', () => {
    expect(positionsOf(validatorSubset(numbered(weights, 3), rules(false, 7), masterchain, 12))).toEqual([0, 1, 2])
    const shuffled = validatorSubset(numbered(weights, 3), rules(true, 7), masterchain, 12)
    expect(positionsOf(shuffled).sort()).toEqual([0, 1, 2])
    expect(shuffled.total_weight).toBe(24n)
  })

  test('the shuffle follows the words of SHA-512 over seed, shard, workchain and catchain seqno', () => {
    const block = (seed: number): Buffer => {
      const bytes = Buffer.alloc(48)
      bytes[31] = seed
      bytes[32] = 0x80
      bytes.fill(0xff, 40, 44)
      bytes.writeUInt32BE(77, 44)
      return hash('sha512', bytes, 'buffer')
    }
    const words = [block(0), block(1)].flatMap((b) => Array.from({ length: 8 }, (_, i) => b.readBigUInt64BE(i * 8)))
    const expected: number[] = []
    for (let i = 0; i < 12; i++) {
      const j = Number((words[i]! * BigInt(i + 1)) >> 64n)
      expected.push(i)
      expected[i] = expected[j]!
      expected[j] = i
    }
    const set = numbered(Array<bigint>(12).fill(1n), 12)
    expect(positionsOf(validatorSubset(set, rules(true, 7), masterchain, 77))).toEqual(expected)
  })
})

describe('shards', () => {
  const arbitrarySet = fc.array(fc.bigInt(1n, 1n << 50n), { minLength: 1, maxLength: 60 }).map((w) => numbered(w, 1))

  test('draws shard_validators_num different members, or all when there are fewer', () => {
    fc.assert(
      fc.property(arbitrarySet, fc.integer({ min: 1, max: 80 }), fc.nat(), (set, wanted, seqno) => {
        const subset = validatorSubset(set, rules(true, wanted), { workchain: 0, shard: SHARD_ALL }, seqno)
        expect(subset.validators).toHaveLength(Math.min(wanted, set.total))
        expect(new Set(positionsOf(subset)).size).toBe(subset.validators.length)
        expect(subset.total_weight).toBe(BigInt(subset.validators.length))
      }),
    )
  })

  test('a heavy validator is drawn first nearly always, and which others come depends on the shard', () => {
    const set = numbered([1n, 1n << 40n, ...Array<bigint>(30).fill(1n)], 1)
    const at = (shard: bigint): number[] =>
      positionsOf(validatorSubset(set, rules(true, 5), { workchain: 0, shard }, 3))
    expect(at(1n << 62n)[0]).toBe(1)
    expect(at(1n << 62n)).not.toEqual(at(-(1n << 62n)))
  })
})

test('an empty set is malformed', () => {
  expect(() => validatorSubset(numbered([], 1), rules(true, 5), masterchain, 1)).toThrow('empty validator set')
})
