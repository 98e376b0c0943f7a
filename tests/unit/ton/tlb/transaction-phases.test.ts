import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  loadMaybeAction,
  loadTrBouncePhase,
  loadTrComputePhase,
  loadTrCreditPhase,
  loadTrStoragePhase,
} from '../../../../src/ton/tlb/transaction-phases.ts'
import { failureOf } from '../../../support/failure.ts'

const HASH = Buffer.alloc(32, 9)
const sliceOf = (build: (b: Builder) => Builder) => beginParse(build(beginCell()).endCell())
const used = (b: Builder): Builder => b.varUint(3n, 7).varUint(99n, 7)
const USED = { cells: 3n, bits: 99n }

describe('phases', () => {
  test('storage', () => {
    const read = (status: string) =>
      loadTrStoragePhase(sliceOf((b) => [...status].reduce((all, bit) => all.bit(bit === '1'), b.coins(1n).bit(false))))
    expect(read('0')).toEqual({
      storage_fees_collected: 1n,
      storage_fees_due: null,
      status_change: 'acst_unchanged',
    })
    expect(read('10').status_change).toBe('acst_frozen')
    expect(read('11').status_change).toBe('acst_deleted')
  })

  test('credit', () => {
    expect(loadTrCreditPhase(sliceOf((b) => b.bit(false).coins(5n).bit(false)))).toEqual({
      due_fees_collected: null,
      credit: { grams: 5n, other: null },
    })
  })

  test('compute, run by the machine', () => {
    const run = beginCell()
      .varUint(100n, 7)
      .varUint(2n ** 48n - 1n, 7)
      .bit(true)
      .varUint(10_000n, 3)
      .int(-1, 8)
      .int(-14, 32)
      .bit(true)
      .int(-5, 32)
      .uint(77, 32)
      .bytes(HASH)
      .bytes(HASH)
    const slice = sliceOf((b) => b.uint(0b1_101, 4).coins(40n).ref(run.endCell()))
    expect(loadTrComputePhase(slice)).toEqual({
      _: 'tr_phase_compute_vm',
      success: true,
      msg_state_used: false,
      account_activated: true,
      gas_fees: 40n,
      gas_used: 100n,
      gas_limit: 2n ** 48n - 1n,
      gas_credit: 10_000n,
      mode: -1,
      exit_code: -14,
      exit_arg: -5,
      vm_steps: 77,
      vm_init_state_hash: HASH,
      vm_final_state_hash: HASH,
    })
  })

  test('compute, skipped for every reason', () => {
    const read = (reason: string) =>
      loadTrComputePhase(sliceOf((b) => [...`0${reason}`].reduce((all, bit) => all.bit(bit === '1'), b)))
    const reasons = ['00', '01', '10', '110'].map((bits) => read(bits))
    expect(reasons).toEqual([
      { _: 'tr_phase_compute_skipped', reason: 'cskip_no_state' },
      { _: 'tr_phase_compute_skipped', reason: 'cskip_bad_state' },
      { _: 'tr_phase_compute_skipped', reason: 'cskip_no_gas' },
      { _: 'tr_phase_compute_skipped', reason: 'cskip_suspended' },
    ])
    expect(failureOf(() => read('111'))).toBe('malformed')
  })

  test('action', () => {
    const action = beginCell()
      .uint(0b101, 3)
      .bit(false)
      .bit(true)
      .coins(6n)
      .bit(false)
      .int(-32, 32)
      .bit(true)
      .int(4, 32)
    const cell = used(action.uint(1, 16).uint(2, 16).uint(3, 16).uint(4, 16).bytes(HASH)).endCell()
    expect(loadMaybeAction(sliceOf((b) => b.bit(true).ref(cell)))).toEqual({
      success: true,
      valid: false,
      no_funds: true,
      status_change: 'acst_unchanged',
      total_fwd_fees: 6n,
      total_action_fees: null,
      result_code: -32,
      result_arg: 4,
      tot_actions: 1,
      spec_actions: 2,
      skipped_actions: 3,
      msgs_created: 4,
      action_list_hash: HASH,
      tot_msg_size: USED,
    })
    expect(loadMaybeAction(sliceOf((b) => b.bit(false)))).toBeNull()
  })

  test('bounce', () => {
    expect(loadTrBouncePhase(sliceOf((b) => b.uint(0, 2)))).toEqual({ _: 'tr_phase_bounce_negfunds' })
    expect(loadTrBouncePhase(sliceOf((b) => used(b.uint(1, 2)).coins(8n)))).toEqual({
      _: 'tr_phase_bounce_nofunds',
      msg_size: USED,
      req_fwd_fees: 8n,
    })
    expect(loadTrBouncePhase(sliceOf((b) => used(b.bit(true)).coins(8n).coins(9n)))).toEqual({
      _: 'tr_phase_bounce_ok',
      msg_size: USED,
      msg_fees: 8n,
      fwd_fees: 9n,
    })
  })

  test('gas credit of three bytes is no VarUInteger 3', () => {
    const run = beginCell().varUint(1n, 7).varUint(1n, 7).bit(true).uint(3, 2).uint(1, 24).endCell()
    expect(failureOf(() => loadTrComputePhase(sliceOf((b) => b.uint(0b1_000, 4).coins(0n).ref(run))))).toBe('malformed')
  })
})
