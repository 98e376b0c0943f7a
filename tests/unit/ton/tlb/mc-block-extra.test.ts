import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseMcBlockDetails, parseMcBlockExtra, shardFees } from '../../../../src/ton/tlb/mc-block-extra.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const closed = (n: number) => prunedCell(1, [Buffer.alloc(32, n)], [n])
const SHARDS = closed(1)
const DETAILS = closed(2)
const CONFIG = closed(3)
const CONFIG_ADDR = Buffer.alloc(32, 0x55)
const fees = (builder: Builder, one: bigint, two: bigint): Builder =>
  builder.coins(one).bit(false).coins(two).bit(false)
const feesOf = (one: bigint, two: bigint) => ({
  fees: { grams: one, other: null },
  create: { grams: two, other: null },
})
const FEES = encodeDict(
  [{ key: '1'.repeat(32) + '1'.padEnd(64, '0'), value: (builder) => fees(builder, 3n, 4n) }],
  96,
  { label: (fitting) => fitting[0]!, extra: (builder) => fees(builder, 3n, 4n) },
)

describe('McBlockExtra', () => {
  const head = (key: boolean) => {
    const builder = beginCell().uint(0xcca5, 16).bit(key).maybeRef(SHARDS).maybeRef(FEES)
    return fees(builder, 3n, 4n).ref(DETAILS)
  }

  test('of a key block has the configuration', () => {
    expect(parseMcBlockExtra(head(true).bytes(CONFIG_ADDR).ref(CONFIG).endCell())).toEqual({
      key_block: true,
      shard_hashes: SHARDS,
      shard_fees: { root: FEES, extra: feesOf(3n, 4n) },
      details: DETAILS,
      config: { config_addr: CONFIG_ADDR, config: CONFIG },
    })
  })

  test('of another block has none', () => {
    expect(parseMcBlockExtra(head(false).endCell())).toMatchObject({ key_block: false, config: null })
    expect(failureOf(() => parseMcBlockExtra(head(true).endCell()))).toBe('malformed')
  })

  test('lists what each shard brought', () => {
    expect([...shardFees({ root: FEES, extra: feesOf(3n, 4n) })]).toEqual([
      { workchain: -1, shard: -(1n << 63n), ...feesOf(3n, 4n) },
    ])
  })
})

test('parseMcBlockDetails', () => {
  expect(parseMcBlockDetails(beginCell().maybeRef(SHARDS).bit(false).maybeRef(CONFIG).endCell())).toEqual({
    prev_blk_signatures: SHARDS,
    recover_create_msg: null,
    mint_msg: CONFIG,
  })
})
