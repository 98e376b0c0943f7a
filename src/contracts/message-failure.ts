import type { TransactionDescr } from '../ton/tlb/transaction-descr.ts'
import { actionCodeWords, exitCodeWords, skipWords } from './exit-codes.ts'

/**
 * Where a message failed. `delivery`: no transaction takes it any more; `accept`: the account does not accept it, so that
 * it makes no transaction; the others are phases of its transaction.
 */
export type FailedPhase = 'delivery' | 'accept' | 'compute' | 'action' | 'bounce'

export interface MessageFailure {
  phase: FailedPhase
  /** Exit code of the VM (accept, compute) or result code (action); null where there is none. */
  code: number | null
  /** In plain words. */
  reason: string
}

/** A message that its account does not accept: with the VM's exit code, or because no contract ran. */
export const refusalFailure = (exit_code: number | undefined): MessageFailure =>
  exit_code === undefined
    ? { phase: 'accept', code: null, reason: 'no contract took it: not deployed, frozen, or without money' }
    : { phase: 'accept', code: exit_code, reason: exitCodeWords(exit_code) }

/** Money that comes to an account whose contract cannot run stays there, unless it bounces: nothing failed then. */
const isMereCredit = (descr: TransactionDescr): boolean =>
  descr._ === 'trans_ord' &&
  descr.compute_ph._ === 'tr_phase_compute_skipped' &&
  descr.credit_ph !== null &&
  descr.bounce === null

/** Where the transaction of a message failed; null where it did not. */
export const transactionFailure = (descr: TransactionDescr): MessageFailure | null => {
  if (!('compute_ph' in descr) || !descr.aborted || isMereCredit(descr)) return null
  const { compute_ph, action } = descr
  if (compute_ph._ === 'tr_phase_compute_skipped')
    return { phase: 'compute', code: null, reason: skipWords(compute_ph.reason) }
  if (!compute_ph.success)
    return { phase: 'compute', code: compute_ph.exit_code, reason: exitCodeWords(compute_ph.exit_code) }
  if (action && !action.success)
    return { phase: 'action', code: action.result_code, reason: actionCodeWords(action.result_code) }
  return { phase: 'bounce', code: null, reason: 'the transaction was undone' }
}
