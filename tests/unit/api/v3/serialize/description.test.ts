import { describe, expect, test } from 'bun:test'
import { description } from '../../../../../src/api/v3/serialize/description.ts'
import type { TransactionDescr } from '../../../../../src/ton/tlb/transaction-descr.ts'

const hash = Buffer.alloc(32, 1)
const text = hash.toString('base64')
const storage_ph = { storage_fees_collected: 5n, storage_fees_due: null, status_change: 'acst_unchanged' } as const
const skipped = { _: 'tr_phase_compute_skipped', reason: 'cskip_no_gas' } as const
const split_info = { cur_shard_pfx_len: 1, acc_split_depth: 2, this_addr: hash, sibling_addr: hash }
const ended = { aborted: true, destroyed: false }

const cases: [TransactionDescr, object][] = [
  [
    {
      _: 'trans_ord',
      credit_first: true,
      storage_ph: { ...storage_ph, storage_fees_due: 0n, status_change: 'acst_frozen' },
      credit_ph: { due_fees_collected: null, credit: { grams: 7n, other: null } },
      compute_ph: skipped,
      action: null,
      bounce: { _: 'tr_phase_bounce_nofunds', msg_size: { cells: 1n, bits: 2n }, req_fwd_fees: 3n },
      ...ended,
    },
    {
      type: 'ord',
      ...ended,
      credit_first: true,
      storage_ph: { storage_fees_collected: '5', storage_fees_due: '0', status_change: 'frozen' },
      credit_ph: { credit: '7' },
      compute_ph: { skipped: true, reason: 'no_gas' },
      bounce: { type: 'nofunds', msg_size: { cells: '1', bits: '2' }, req_fwd_fees: '3' },
    },
  ],
  [{ _: 'trans_storage', storage_ph }, { type: 'storage' }],
  [
    { _: 'trans_tick_tock', is_tock: false, storage_ph, compute_ph: skipped, action: null, ...ended },
    { type: 'tick_tock', is_tock: false, ...ended },
  ],
  [
    { _: 'trans_split_prepare', split_info, storage_ph: null, compute_ph: skipped, action: null, ...ended },
    {
      type: 'split_prepare',
      ...ended,
      split_info: { cur_shard_pfx_len: 1, acc_split_depth: 2, this_addr: text, sibling_addr: text },
    },
  ],
  [
    { _: 'trans_merge_prepare', split_info, storage_ph, aborted: false },
    { type: 'merge_prepare', aborted: false },
  ],
]

describe('the description of a transaction has what its kind has', () => {
  for (const [descr, expected] of cases)
    test(descr._, () => expect(JSON.parse(JSON.stringify(description(descr)))).toMatchObject(expected))

  test('and nothing else', () => {
    expect(Object.keys(JSON.parse(JSON.stringify(description(cases[1]![0]))))).toEqual(['type', 'storage_ph'])
  })
})
