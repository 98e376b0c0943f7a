import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseTransactionDescr, storagePhaseOf } from '../../../../src/ton/tlb/transaction-descr.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const THIS = Buffer.alloc(32, 1)
const SIBLING = Buffer.alloc(32, 2)
const PREPARED = prunedCell(1, [THIS], [3])
const split = (b: Builder): Builder => b.uint(2, 6).uint(3, 6).bytes(THIS).bytes(SIBLING)
const storage = (b: Builder): Builder => b.coins(11n).bit(true).coins(12n).uint(0b11, 2)
const skipped = (b: Builder): Builder => b.bit(false).uint(0b110, 3)
const SPLIT_INFO = { cur_shard_pfx_len: 2, acc_split_depth: 3, this_addr: THIS, sibling_addr: SIBLING }
const STORAGE = { storage_fees_collected: 11n, storage_fees_due: 12n, status_change: 'acst_deleted' } as const
const SKIPPED = { _: 'tr_phase_compute_skipped', reason: 'cskip_suspended' } as const

/** Whole, and by the reader of the storage phase alone, which must agree. */
const parse = (...parts: ((b: Builder) => Builder)[]) => {
  const cell = parts.reduce((b, part) => part(b), beginCell()).endCell()
  const descr = parseTransactionDescr(cell)
  expect(storagePhaseOf(cell)).toEqual('storage_ph' in descr ? descr.storage_ph : null)
  return descr
}
const bits =
  (text: string) =>
  (b: Builder): Builder =>
    [...text].reduce((builder, bit) => builder.bit(bit === '1'), b)

describe('TransactionDescr', () => {
  test('trans_storage', () => {
    expect(parse(bits('0001'), storage)).toEqual({ _: 'trans_storage', storage_ph: STORAGE })
  })

  test('trans_tick_tock', () => {
    expect(parse(bits('001'), bits('1'), storage, skipped, bits('010'))).toEqual({
      _: 'trans_tick_tock',
      is_tock: true,
      storage_ph: STORAGE,
      compute_ph: SKIPPED,
      action: null,
      aborted: true,
      destroyed: false,
    })
  })

  test('trans_split_prepare', () => {
    expect(parse(bits('0100'), split, bits('1'), storage, skipped, bits('001'))).toEqual({
      _: 'trans_split_prepare',
      split_info: SPLIT_INFO,
      storage_ph: STORAGE,
      compute_ph: SKIPPED,
      action: null,
      aborted: false,
      destroyed: true,
    })
  })

  test('trans_split_install leaves the other transaction closed', () => {
    expect(parse(bits('0101'), split, (b) => b.ref(PREPARED), bits('1'))).toEqual({
      _: 'trans_split_install',
      split_info: SPLIT_INFO,
      prepare_transaction: PREPARED,
      installed: true,
    })
  })

  test('trans_merge_prepare', () => {
    expect(parse(bits('0110'), split, storage, bits('1'))).toEqual({
      _: 'trans_merge_prepare',
      split_info: SPLIT_INFO,
      storage_ph: STORAGE,
      aborted: true,
    })
  })

  test('trans_merge_install', () => {
    const credit = (b: Builder): Builder => bits('1')(b).bit(true).coins(13n).coins(14n).bit(false)
    expect(parse(bits('0111'), split, (b) => b.ref(PREPARED), bits('0'), credit, skipped, bits('010'))).toEqual({
      _: 'trans_merge_install',
      split_info: SPLIT_INFO,
      prepare_transaction: PREPARED,
      storage_ph: null,
      credit_ph: { due_fees_collected: 13n, credit: { grams: 14n, other: null } },
      compute_ph: SKIPPED,
      action: null,
      aborted: true,
      destroyed: false,
    })
  })

  test('trans_ord without any phase but a skipped one', () => {
    expect(parse(bits('0000'), bits('100'), skipped, bits('0001'))).toEqual({
      _: 'trans_ord',
      credit_first: true,
      storage_ph: null,
      credit_ph: null,
      compute_ph: SKIPPED,
      action: null,
      aborted: false,
      bounce: null,
      destroyed: true,
    })
  })

  test('other tags and data behind the end are refused', () => {
    for (const tag of ['1000', '1111', '1001'])
      expect(failureOf(() => parse(bits(tag), bits('100'), skipped, bits('0001')))).toBe('malformed')
    expect(failureOf(() => parse(bits('0001'), storage, bits('0')))).toBe('malformed')
  })
})
