import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { parseBlkPrevInfo, parseBlockInfo, prevBlockIds } from '../../../../src/ton/tlb/block-info.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const CLOSED = prunedCell(1, [Buffer.alloc(32, 1)], [2])

interface Header {
  not_master?: number
  after_merge?: number
  after_split?: number
  vert_seqno_incr?: number
  flags?: number
  seq_no?: number
  vert_seq_no?: number
  prev_ref?: Cell
}

const header = ({
  not_master = 1,
  after_merge = 0,
  after_split = 0,
  vert_seqno_incr = 0,
  flags = 0,
  seq_no = 10,
  vert_seq_no = 1,
  prev_ref = CLOSED,
}: Header = {}): Cell => {
  const builder = beginCell().uint(0x9bc7a987, 32).uint(0, 32).uint(not_master, 1).uint(after_merge, 1).bit(false)
  builder.uint(after_split, 1).uint(0b100, 3).uint(vert_seqno_incr, 1).uint(flags, 8).uint(seq_no, 32)
  builder
    .uint(vert_seq_no, 32)
    .uint(0, 2)
    .uint(1, 6)
    .int(0, 32)
    .uint(1n << 63n, 64)
    .uint(11, 32)
    .uint(12, 64)
  builder
    .uint(2n ** 63n + 5n, 64)
    .uint(0xffffffff, 32)
    .uint(13, 32)
    .uint(14, 32)
    .uint(15, 32)
  if (flags)
    builder
      .uint(0xc4, 8)
      .uint(12, 32)
      .uint(2n ** 64n - 1n, 64)
  if (not_master) builder.ref(CLOSED)
  builder.ref(prev_ref)
  if (vert_seqno_incr) builder.ref(CLOSED)
  return builder.endCell()
}

const ref = (n: number): Cell =>
  beginCell()
    .uint(n, 64)
    .uint(n + 1, 32)
    .bytes(Buffer.alloc(32, n))
    .bytes(Buffer.alloc(32, n + 1))
    .endCell()

describe('BlockInfo', () => {
  test('is read with its references closed', () => {
    expect(parseBlockInfo(header({ flags: 1 }))).toEqual({
      version: 0,
      not_master: true,
      after_merge: false,
      before_split: false,
      after_split: false,
      want_split: true,
      want_merge: false,
      key_block: false,
      vert_seqno_incr: false,
      flags: 1,
      seq_no: 10,
      vert_seq_no: 1,
      shard: { shard_pfx_bits: 1, workchain_id: 0, shard_prefix: 1n << 63n },
      gen_utime: 11,
      start_lt: 12n,
      end_lt: 2n ** 63n + 5n,
      gen_validator_list_hash_short: 0xffffffff,
      gen_catchain_seqno: 13,
      min_ref_mc_seqno: 14,
      prev_key_block_seqno: 15,
      gen_software: { version: 12, capabilities: 2n ** 64n - 1n },
      master_ref: CLOSED,
      prev_ref: CLOSED,
      prev_vert_ref: null,
    })
  })

  test('of a masterchain block has no master_ref, and none without flag says its software', () => {
    expect(parseBlockInfo(header({ not_master: 0 }))).toMatchObject({ master_ref: null, gen_software: null })
    expect(parseBlockInfo(header({ vert_seqno_incr: 1 })).prev_vert_ref).toBe(CLOSED)
  })

  test('breaking a rule of the scheme is refused', () => {
    for (const broken of [{ flags: 2 }, { seq_no: 0 }, { vert_seqno_incr: 1, vert_seq_no: 0 }])
      expect(failureOf(() => parseBlockInfo(header(broken)))).toBe('malformed')
  })
})

describe('prevBlockIds', () => {
  const RIGHT_HALF = -(1n << 62n)

  test('names the block of the same shard', () => {
    expect(prevBlockIds(parseBlockInfo(header({ prev_ref: ref(7) })))).toEqual([
      {
        workchain: 0,
        shard: RIGHT_HALF,
        seqno: 8,
        root_hash: Buffer.alloc(32, 7),
        file_hash: Buffer.alloc(32, 8),
      },
    ])
  })

  test('names the block of the parent shard after a split', () => {
    const [prev] = prevBlockIds(parseBlockInfo(header({ after_split: 1, prev_ref: ref(7) })))
    expect(prev?.shard).toBe(-(1n << 63n))
  })

  test('names the blocks of both halves after a merge, left first', () => {
    const both = beginCell().ref(ref(7)).ref(ref(9)).endCell()
    const prev = prevBlockIds(parseBlockInfo(header({ after_merge: 1, prev_ref: both })))
    expect(prev.map(({ shard, seqno }) => [shard, seqno])).toEqual([
      [-(3n << 61n), 8],
      [-(1n << 61n), 10],
    ])
  })

  test('of a pruned reference is refused', () => {
    expect(failureOf(() => parseBlkPrevInfo(CLOSED, false))).toBe('malformed')
    expect(failureOf(() => parseBlkPrevInfo(ref(7), true))).toBe('malformed')
  })
})
