import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import {
  creatorStats,
  oldMcBlock,
  oldMcBlocks,
  parseMcStateExtra,
  parseMcStateHistory,
} from '../../../../src/ton/tlb/mc-state-extra.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const closed = (n: number) => prunedCell(1, [Buffer.alloc(32, n)], [n])
const HASH = Buffer.alloc(32, 7)
const maxLt = (builder: Builder, key: boolean, lt: bigint): Builder => builder.bit(key).uint(lt, 64)
const blkRef = (builder: Builder, seqno: number): Builder =>
  builder
    .uint(seqno * 10, 64)
    .uint(seqno, 32)
    .bytes(HASH)
    .bytes(HASH)
const refOf = (seqno: number) => ({
  end_lt: BigInt(seqno * 10),
  seq_no: seqno,
  root_hash: HASH,
  file_hash: HASH,
})
const SEQNOS = [0, 1, 2, 3, 50, 1_000_000]
const PREV = encodeDict(
  SEQNOS.map((seqno) => ({
    key: seqno.toString(2).padStart(32, '0'),
    value: (builder) => blkRef(builder.bit(seqno === 3), seqno),
  })),
  32,
  {
    label: (fitting) => fitting[0]!,
    extra: (builder, entries) =>
      maxLt(
        builder,
        entries.some(({ key }) => Number.parseInt(key, 2) === 3),
        10n * BigInt(`0b${entries[entries.length - 1]!.key}`),
      ),
  },
)

const history = (flags: number, tail: (builder: Builder) => Builder) => {
  const builder = beginCell().uint(flags, 16).uint(0xfedcba98, 32).uint(8, 32).bit(true)
  return tail(blkRef(maxLt(builder.maybeRef(PREV), true, 10_000_000n).bit(true).bit(true), 3)).endCell()
}

describe('McStateExtra', () => {
  test('is read with its parts closed', () => {
    const cell = beginCell()
      .uint(0xcc26, 16)
      .maybeRef(closed(1))
      .bytes(HASH)
      .ref(closed(2))
      .ref(closed(3))
      .coins(5n)
      .bit(false)
      .endCell()
    expect(parseMcStateExtra(cell)).toEqual({
      shard_hashes: closed(1),
      config: { config_addr: HASH, config: closed(2) },
      history: closed(3),
      global_balance: { grams: 5n, other: null },
    })
    expect(failureOf(() => parseMcStateExtra(beginCell().uint(0xcc27, 16).endCell()))).toBe('malformed')
  })

  test('history', () => {
    expect(parseMcStateHistory(history(0, (builder) => builder))).toEqual({
      flags: 0,
      validator_info: { validator_list_hash_short: 0xfedcba98, catchain_seqno: 8, nx_cc_updated: true },
      prev_blocks: { root: PREV, extra: { key: true, max_end_lt: 10_000_000n } },
      after_key_block: true,
      last_key_block: refOf(3),
      block_create_stats: null,
    })
    expect(failureOf(() => parseMcStateHistory(history(2, (builder) => builder)))).toBe('malformed')
    expect(failureOf(() => parseMcStateHistory(history(1, (builder) => builder.uint(0x18, 8))))).toBe('malformed')
  })
})

describe('OldMcBlocksInfo', () => {
  const { prev_blocks } = parseMcStateHistory(history(0, (builder) => builder))

  test('finds a block by seqno', () => {
    expect(oldMcBlock(prev_blocks, 3)).toEqual({ key: true, blk_ref: refOf(3) })
    expect(oldMcBlock(prev_blocks, 1_000_000)).toEqual({ key: false, blk_ref: refOf(1_000_000) })
    expect(oldMcBlock(prev_blocks, 4)).toBeNull()
  })

  test('is walked in both directions from anywhere', () => {
    const seqnos = (walk: Parameters<typeof oldMcBlocks>[1]) =>
      Array.from(oldMcBlocks(prev_blocks, walk), ([seqno, { blk_ref }]) => {
        expect(blk_ref.seq_no).toBe(seqno)
        return seqno
      })
    expect(seqnos({})).toEqual(SEQNOS)
    expect(seqnos({ after: 2 })).toEqual([3, 50, 1_000_000])
    expect(seqnos({ after: 2, inclusive: true })).toEqual([2, 3, 50, 1_000_000])
    expect(seqnos({ after: 49, reverse: true })).toEqual([3, 2, 1, 0])
  })
})

describe('BlockCreateStats', () => {
  const counters = (builder: Builder, n: number): Builder => builder.uint(n, 32).uint(n, 64).uint(n, 64).uint(n, 64)
  const countersOf = (n: number) => ({
    last_updated: n,
    total: BigInt(n),
    cnt2048: BigInt(n),
    cnt65536: BigInt(n),
  })
  const entries = [1, 2].map((n) => ({
    key: n.toString(2).padStart(256, '0'),
    value: (builder: Builder) => counters(counters(builder.uint(4, 4), n), n + 5),
  }))
  const keyOf = (n: number): Buffer => Buffer.from(n.toString(16).padStart(64, '0'), 'hex')
  const expected = [1, 2].map((n) => [keyOf(n), { mc_blocks: countersOf(n), shard_blocks: countersOf(n + 5) }])
  const read = (tail: (builder: Builder) => Builder) => parseMcStateHistory(history(1, tail)).block_create_stats!
  const label = <T>(fitting: readonly T[]): T => fitting[0]!

  test('of the plain form', () => {
    const stats = read((builder) => builder.uint(0x17, 8).maybeRef(encodeDict(entries, 256, { label })))
    expect(stats._).toBe('block_create_stats')
    expect([...creatorStats(stats)]).toEqual(expected as never)
  })

  test('of the augmented form', () => {
    const root = encodeDict(entries, 256, { label, extra: (builder) => builder.uint(9, 32) })
    const stats = read((builder) => builder.uint(0x34, 8).maybeRef(root).uint(9, 32))
    expect(stats._).toBe('block_create_stats_ext')
    expect([...creatorStats(stats)]).toEqual(expected as never)
    expect([...creatorStats(stats, { after: keyOf(1) })]).toEqual(expected.slice(1) as never)
  })
})
