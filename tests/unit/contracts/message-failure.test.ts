import { describe, expect, test } from 'bun:test'
import { actionCodeWords, exitCodeWords } from '../../../src/contracts/exit-codes.ts'
import { refusalFailure, transactionFailure } from '../../../src/contracts/message-failure.ts'
import type { TransOrd } from '../../../src/ton/tlb/transaction-descr.ts'
import type { TrComputePhase } from '../../../src/ton/tlb/transaction-phases.ts'

const ran = (exit_code: number): TrComputePhase => ({
  _: 'tr_phase_compute_vm',
  success: exit_code < 2,
  msg_state_used: false,
  account_activated: false,
  gas_fees: 1n,
  gas_used: 1n,
  gas_limit: 1n,
  gas_credit: null,
  mode: 0,
  exit_code,
  exit_arg: null,
  vm_steps: 1,
  vm_init_state_hash: Buffer.alloc(32),
  vm_final_state_hash: Buffer.alloc(32),
})

const ordinary = (more: Partial<TransOrd>): TransOrd => ({
  _: 'trans_ord',
  credit_first: true,
  storage_ph: null,
  credit_ph: null,
  compute_ph: ran(0),
  action: null,
  aborted: false,
  bounce: null,
  destroyed: false,
  ...more,
})

describe('transactionFailure', () => {
  test('none where nothing was aborted', () => {
    expect(transactionFailure(ordinary({}))).toBeNull()
  })

  test('in the compute phase', () => {
    expect(transactionFailure(ordinary({ aborted: true, compute_ph: ran(706) }))).toEqual({
      phase: 'compute',
      code: 706,
      reason: 'not enough tokens',
    })
    const skipped: TrComputePhase = { _: 'tr_phase_compute_skipped', reason: 'cskip_no_state' }
    const bounce = { _: 'tr_phase_bounce_negfunds' } as const
    expect(transactionFailure(ordinary({ aborted: true, compute_ph: skipped, bounce }))).toEqual({
      phase: 'compute',
      code: null,
      reason: 'the account is not deployed',
    })
  })

  test('money for an account that is not deployed stays there', () => {
    const skipped: TrComputePhase = { _: 'tr_phase_compute_skipped', reason: 'cskip_no_state' }
    const credit_ph = { due_fees_collected: null, credit: { grams: 5n, other: null } }
    expect(transactionFailure(ordinary({ aborted: true, compute_ph: skipped, credit_ph }))).toBeNull()
  })

  test('in the action phase', () => {
    const action: TransOrd['action'] = {
      success: false,
      valid: true,
      no_funds: true,
      status_change: 'acst_unchanged',
      total_fwd_fees: null,
      total_action_fees: null,
      result_code: 37,
      result_arg: null,
      tot_actions: 1,
      spec_actions: 0,
      skipped_actions: 0,
      msgs_created: 0,
      action_list_hash: Buffer.alloc(32),
      tot_msg_size: { cells: 0n, bits: 0n },
    }
    expect(transactionFailure(ordinary({ aborted: true, action }))).toMatchObject({ phase: 'action', code: 37 })
  })
})

test('a refusal has its exit code, or none where no contract ran', () => {
  expect(refusalFailure(133)).toMatchObject({ phase: 'accept', code: 133 })
  expect(refusalFailure(undefined)).toMatchObject({ phase: 'accept', code: null })
})

test('every code has words', () => {
  for (let code = -100; code < 70_000; code += 7) {
    expect(exitCodeWords(code).length).toBeGreaterThan(5)
    expect(actionCodeWords(code).length).toBeGreaterThan(5)
  }
})
