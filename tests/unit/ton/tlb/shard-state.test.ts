import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { dictEntries } from '../../../../src/ton/dictionary.ts'
import { recordProof } from '../../../../src/ton/merkle.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  parseShardAccounts,
  parseShardState,
  parseShardStateTotals,
  parseShardStateUnsplit,
  shardAccount,
  shardAccounts,
  sharedLib,
  sharedLibs,
} from '../../../../src/ton/tlb/shard-state.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const closed = (n: number): Cell => prunedCell(1, [Buffer.alloc(32, n)], [n])
const label = <T>(fitting: readonly T[]): T => fitting[1]!
const idOf = (n: number): Buffer => Buffer.alloc(32, n)
const bitsOf = (id: Buffer): string =>
  BigInt(`0x${id.toString('hex')}`)
    .toString(2)
    .padStart(256, '0')

const unsplit = (tag: number, tail: (builder: Builder) => Builder): Cell => {
  const builder = beginCell().uint(tag, 32).int(-239, 32).uint(0, 2).uint(0, 6).int(-1, 32).uint(0, 64).uint(5, 32)
  builder.uint(6, 32).uint(7, 32).uint(8, 64).uint(9, 32).ref(closed(1)).bit(true).ref(closed(2)).ref(closed(3))
  return tail(builder).endCell()
}

describe('ShardState', () => {
  test('is read with its parts closed', () => {
    const state = {
      global_id: -239,
      shard_id: { shard_pfx_bits: 0, workchain_id: -1, shard_prefix: 0n },
      seq_no: 5,
      vert_seq_no: 6,
      gen_utime: 7,
      gen_lt: 8n,
      min_ref_mc_seqno: 9,
      out_msg_queue_info: closed(1),
      before_split: true,
      accounts: closed(2),
      totals: closed(3),
      custom: closed(4),
      wc_custom: null,
    }
    const cell = unsplit(0x9023afe2, (builder) => builder.maybeRef(closed(4)))
    expect(parseShardStateUnsplit(cell)).toEqual(state)
    expect(parseShardState(cell)).toEqual({ _: 'shard_state', ...state })
  })

  test('of the experimental form has one more optional cell', () => {
    const cell = unsplit(0x9023afd4, (builder) => builder.bit(false).maybeRef(closed(4)))
    expect(parseShardStateUnsplit(cell)).toMatchObject({ custom: null, wc_custom: closed(4) })
  })

  test('waiting for a split to be used has two halves', () => {
    const cell = beginCell().uint(0x5f327da5, 32).ref(closed(1)).ref(closed(2)).endCell()
    expect(parseShardState(cell)).toEqual({ _: 'split_state', left: closed(1), right: closed(2) })
    expect(failureOf(() => parseShardStateUnsplit(cell))).toBe('malformed')
    expect(failureOf(() => parseShardState(beginCell().uint(1, 32).endCell()))).toBe('malformed')
  })

  test('totals', () => {
    const libraries = encodeDict(
      [
        {
          key: bitsOf(idOf(3)),
          value: (builder) =>
            builder
              .uint(0, 2)
              .ref(closed(5))
              .slice(beginParse(encodeDict([{ key: bitsOf(idOf(9)), value: (b) => b }], 256, { label }))),
        },
      ],
      256,
      { label },
    )
    const cell = beginCell().uint(1, 64).uint(2, 64).coins(3n).bit(false).coins(4n).bit(false).maybeRef(libraries)
    const master = cell.bit(true).uint(10, 64).uint(11, 32).bytes(idOf(1)).bytes(idOf(2))
    expect(parseShardStateTotals(master.endCell())).toEqual({
      overload_history: 1n,
      underload_history: 2n,
      total_balance: { grams: 3n, other: null },
      total_validator_fees: { grams: 4n, other: null },
      libraries,
      master_ref: { end_lt: 10n, seq_no: 11, root_hash: idOf(1), file_hash: idOf(2) },
    })
    const lib = sharedLib(libraries, idOf(3))!
    expect(lib.lib).toEqual(closed(5))
    expect(Array.from(dictEntries(lib.publishers, 256), ([id]) => id)).toEqual([idOf(9)])
    expect(sharedLib(libraries, idOf(4))).toBeNull()
    expect(Array.from(sharedLibs(libraries), ([hash]) => hash)).toEqual([idOf(3)])
  })
})

describe('ShardAccounts', () => {
  const depthBalance = (builder: Builder, grams: bigint): Builder => builder.uint(0, 5).coins(grams).bit(false)
  const root = encodeDict(
    [1, 2, 0x80].map((n) => ({
      key: bitsOf(idOf(n)),
      value: (builder: Builder) => builder.ref(closed(n)).bytes(idOf(n)).uint(n, 64),
    })),
    256,
    { label, extra: (builder, entries) => depthBalance(builder, BigInt(entries.length)) },
  )
  const accounts = depthBalance(beginCell().maybeRef(root), 3n).endCell()
  const accountOf = (n: number) => ({
    account: closed(n),
    last_trans_hash: idOf(n),
    last_trans_lt: BigInt(n),
  })

  test('finds, lists and pages', () => {
    expect(shardAccount(accounts, idOf(2))).toEqual(accountOf(2))
    expect(shardAccount(accounts, idOf(3))).toBeNull()
    expect([...shardAccounts(accounts)]).toEqual([1, 2, 0x80].map((n) => [idOf(n), accountOf(n)]))
    expect(Array.from(shardAccounts(accounts, { after: idOf(1) }), ([id]) => id)).toEqual([idOf(2), idOf(0x80)])
    expect(parseShardAccounts(accounts)).toEqual({
      root,
      extra: { split_depth: 0, balance: { grams: 3n, other: null } },
    })
  })

  test('opens only the path to an account', () => {
    const recorded = recordProof(accounts)
    shardAccount(recorded.root, idOf(2))
    const shown = recorded.proof().ref(0)
    expect(shardAccount(shown, idOf(2))?.last_trans_lt).toBe(2n)
    expect(failureOf(() => shardAccount(shown, idOf(0x80)))).toBe('malformed')
    expect(Array.from(shardAccounts(shown, { skipPruned: true }), ([id]) => id)).toEqual([idOf(2)])
  })

  test('refuses a split depth above 30', () => {
    const cell = beginCell().bit(false).uint(31, 5).coins(0n).bit(false).endCell()
    expect(failureOf(() => parseShardAccounts(cell))).toBe('malformed')
  })
})
