import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { configParam } from '../../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../../src/ton/tlb/shard-state.ts'
import {
  buildCatchainConfig,
  buildValidatorSet,
  parseCatchainConfig,
  parseValidatorSet,
} from '../../../../src/ton/tlb/validators.ts'
import { failureOf } from '../../../support/failure.ts'
import { recordedZerostate } from '../../../support/recorded-blocks.ts'

const KEY = Buffer.alloc(32, 7)
const ADDRESS = Buffer.alloc(32, 9)

const descr = (builder: Builder, weight: bigint, adnl_addr?: Buffer): Builder => {
  builder
    .uint(adnl_addr ? 0x73 : 0x53, 8)
    .uint(0x8e81278a, 32)
    .bytes(KEY)
    .uint(weight, 64)
  return adnl_addr ? builder.bytes(adnl_addr) : builder
}

/** hml_long label of `length` bits. */
const label = (builder: Builder, bits: number, length: number, max: number): Builder =>
  builder
    .uint(0b10, 2)
    .uint(length, 32 - Math.clz32(max))
    .uint(bits, length)

const pair = (builder: Builder, left: Cell, right: Cell): Builder => label(builder, 0, 15, 16).ref(left).ref(right)
const leaf = (weight: bigint, adnl_addr?: Buffer): Cell =>
  descr(label(beginCell(), 0, 0, 0), weight, adnl_addr).endCell()

const head = (tag: number, total: number, main: number): Builder =>
  beginCell().uint(tag, 8).uint(100, 32).uint(200, 32).uint(total, 16).uint(main, 16)

const ext = (total: number, main: number, weight: bigint, list: Cell | null): Cell =>
  head(0x12, total, main).uint(weight, 64).maybeRef(list).endCell()

const two = pair(beginCell(), leaf(5n, ADDRESS), leaf(6n)).endCell()

describe('parseValidatorSet', () => {
  test('validators_ext with both kinds of ValidatorDescr', () => {
    expect(parseValidatorSet(ext(2, 1, 11n, two))).toEqual({
      utime_since: 100,
      utime_until: 200,
      total: 2,
      main: 1,
      total_weight: 11n,
      list: [
        { public_key: KEY, weight: 5n, adnl_addr: ADDRESS },
        { public_key: KEY, weight: 6n, adnl_addr: Buffer.alloc(32) },
      ],
    })
  })

  test('validators, whose list stands in line', () => {
    const cell = pair(head(0x11, 2, 2), leaf(1n), leaf(2n)).endCell()
    expect(parseValidatorSet(cell)).toMatchObject({ total: 2, main: 2, total_weight: 3n })
  })

  test.each([
    ['another tag', head(0x13, 1, 1).endCell()],
    ['another weight', ext(2, 1, 12n, two)],
    ['another size', ext(3, 1, 11n, two)],
    ['a gap in the list', ext(1, 1, 5n, descr(label(beginCell(), 1, 16, 16), 5n).endCell())],
    ['an empty list', ext(1, 1, 0n, null)],
    ['no main validator', ext(2, 0, 11n, two)],
    ['more main validators than all', ext(2, 3, 11n, two)],
    ['a validator without weight', ext(2, 1, 5n, pair(beginCell(), leaf(5n), leaf(0n)).endCell())],
    ['a weight that overflows', ext(2, 1, 1n << 62n, pair(beginCell(), leaf(1n << 61n), leaf(1n << 61n)).endCell())],
  ])('%s is malformed', (_, cell) => {
    expect(failureOf(() => parseValidatorSet(cell))).toBe('malformed')
  })
})

describe('parseCatchainConfig', () => {
  const lifetimes = (builder: Builder): Builder => builder.uint(1, 32).uint(2, 32).uint(3, 32).uint(4, 32)
  const values = {
    mc_catchain_lifetime: 1,
    shard_catchain_lifetime: 2,
    shard_validators_lifetime: 3,
    shard_validators_num: 4,
  }

  test('both constructors', () => {
    const old = lifetimes(beginCell().uint(0xc1, 8)).endCell()
    expect(parseCatchainConfig(old)).toEqual({ shuffle_mc_validators: false, ...values })
    const shuffled = lifetimes(beginCell().uint(0xc2, 8).uint(1, 8)).endCell()
    expect(parseCatchainConfig(shuffled)).toEqual({ shuffle_mc_validators: true, ...values })
  })

  test.each([
    ['another tag', lifetimes(beginCell().uint(0xc3, 8)).endCell()],
    ['an unknown flag', lifetimes(beginCell().uint(0xc2, 8).uint(2, 8)).endCell()],
    ['more data', lifetimes(beginCell().uint(0xc1, 8)).bit(true).endCell()],
    ['a zero', lifetimes(beginCell().uint(0xc1, 8).uint(0, 32)).endCell()],
    ['less data', beginCell().uint(0xc1, 8).uint(1, 32).endCell()],
  ])('%s is malformed', (_, cell) => {
    expect(failureOf(() => parseCatchainConfig(cell))).toBe('malformed')
  })
})

test('sets and rules are written to the cells that they were read from', () => {
  const handmade = parseValidatorSet(ext(2, 1, 11n, two))
  expect(parseValidatorSet(buildValidatorSet(handmade))).toEqual(handmade)
  const { config } = parseMcStateExtra(parseShardStateUnsplit(recordedZerostate()).custom!).config
  const set = configParam(config, 34)!
  expect(buildValidatorSet(parseValidatorSet(set)).hash()).toEqual(set.hash())
  const rules = configParam(config, 28)!
  expect(buildCatchainConfig(parseCatchainConfig(rules)).hash()).toEqual(rules.hash())
})
