import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection } from './currency.ts'
import { loadStorageUsed, type StorageUsed } from './storage-info.ts'
import { malformed, maybe, parseCell } from './tag.ts'

export type AccStatusChange = 'acst_unchanged' | 'acst_frozen' | 'acst_deleted'
export type ComputeSkipReason = 'cskip_no_state' | 'cskip_bad_state' | 'cskip_no_gas' | 'cskip_suspended'

/** TL-B TrStoragePhase; amounts in nano-units. */
export interface TrStoragePhase {
  storage_fees_collected: bigint
  storage_fees_due: bigint | null
  status_change: AccStatusChange
}

/** TL-B TrCreditPhase. */
export interface TrCreditPhase {
  due_fees_collected: bigint | null
  credit: CurrencyCollection
}

/** TL-B TrComputePhase; `gas_fees` in nano-units. */
export type TrComputePhase =
  | { _: 'tr_phase_compute_skipped'; reason: ComputeSkipReason }
  | {
      _: 'tr_phase_compute_vm'
      success: boolean
      msg_state_used: boolean
      account_activated: boolean
      gas_fees: bigint
      gas_used: bigint
      gas_limit: bigint
      gas_credit: bigint | null
      mode: number
      exit_code: number
      exit_arg: number | null
      vm_steps: number
      vm_init_state_hash: Buffer
      vm_final_state_hash: Buffer
    }

/** TL-B TrActionPhase; fees in nano-units. */
export interface TrActionPhase {
  success: boolean
  valid: boolean
  no_funds: boolean
  status_change: AccStatusChange
  total_fwd_fees: bigint | null
  total_action_fees: bigint | null
  result_code: number
  result_arg: number | null
  tot_actions: number
  spec_actions: number
  skipped_actions: number
  msgs_created: number
  action_list_hash: Buffer
  tot_msg_size: StorageUsed
}

/** TL-B TrBouncePhase; fees in nano-units. */
export type TrBouncePhase =
  | { _: 'tr_phase_bounce_negfunds' }
  | { _: 'tr_phase_bounce_nofunds'; msg_size: StorageUsed; req_fwd_fees: bigint }
  | { _: 'tr_phase_bounce_ok'; msg_size: StorageUsed; msg_fees: bigint; fwd_fees: bigint }

const loadCoins = (slice: Slice): bigint => slice.coins()
const loadInt32 = (slice: Slice): number => slice.int(32)

const loadAccStatusChange = (slice: Slice): AccStatusChange => {
  if (!slice.bit()) return 'acst_unchanged'
  return slice.bit() ? 'acst_deleted' : 'acst_frozen'
}

/** TL-B TrStoragePhase. */
export const loadTrStoragePhase = (slice: Slice): TrStoragePhase => ({
  storage_fees_collected: slice.coins(),
  storage_fees_due: maybe(slice, loadCoins),
  status_change: loadAccStatusChange(slice),
})

/** TL-B TrCreditPhase. */
export const loadTrCreditPhase = (slice: Slice): TrCreditPhase => ({
  due_fees_collected: maybe(slice, loadCoins),
  credit: loadCurrencyCollection(slice),
})

const loadComputeSkipReason = (slice: Slice): ComputeSkipReason => {
  switch (slice.uint(2)) {
    case 0:
      return 'cskip_no_state'
    case 1:
      return 'cskip_bad_state'
    case 2:
      return 'cskip_no_gas'
    default:
      if (slice.bit()) throw malformed('ComputeSkipReason')
      return 'cskip_suspended'
  }
}

const loadVmRun = (slice: Slice) => ({
  gas_used: slice.varUint(7),
  gas_limit: slice.varUint(7),
  gas_credit: maybe(slice, (s) => s.varUint(3)),
  mode: slice.int(8),
  exit_code: slice.int(32),
  exit_arg: maybe(slice, loadInt32),
  vm_steps: slice.uint(32),
  vm_init_state_hash: slice.bytes(32),
  vm_final_state_hash: slice.bytes(32),
})

/** TL-B TrComputePhase, with the referred cell of its second part. Throws `malformed`. */
export const loadTrComputePhase = (slice: Slice): TrComputePhase => {
  if (!slice.bit()) return { _: 'tr_phase_compute_skipped', reason: loadComputeSkipReason(slice) }
  return {
    _: 'tr_phase_compute_vm',
    success: slice.bit(),
    msg_state_used: slice.bit(),
    account_activated: slice.bit(),
    gas_fees: slice.coins(),
    ...parseCell(slice.ref(), loadVmRun),
  }
}

const loadTrActionPhase = (slice: Slice): TrActionPhase => ({
  success: slice.bit(),
  valid: slice.bit(),
  no_funds: slice.bit(),
  status_change: loadAccStatusChange(slice),
  total_fwd_fees: maybe(slice, loadCoins),
  total_action_fees: maybe(slice, loadCoins),
  result_code: slice.int(32),
  result_arg: maybe(slice, loadInt32),
  tot_actions: slice.uint(16),
  spec_actions: slice.uint(16),
  skipped_actions: slice.uint(16),
  msgs_created: slice.uint(16),
  action_list_hash: slice.bytes(32),
  tot_msg_size: loadStorageUsed(slice),
})

/** TL-B ^TrActionPhase. Throws `malformed`. */
const parseTrActionPhase = (cell: Cell): TrActionPhase => parseCell(cell, loadTrActionPhase)

/** TL-B Maybe ^TrActionPhase. */
export const loadMaybeAction = (slice: Slice): TrActionPhase | null => maybe(slice, (s) => parseTrActionPhase(s.ref()))

/** TL-B TrBouncePhase. */
export const loadTrBouncePhase = (slice: Slice): TrBouncePhase => {
  if (slice.bit())
    return {
      _: 'tr_phase_bounce_ok',
      msg_size: loadStorageUsed(slice),
      msg_fees: slice.coins(),
      fwd_fees: slice.coins(),
    }
  if (slice.bit())
    return { _: 'tr_phase_bounce_nofunds', msg_size: loadStorageUsed(slice), req_fwd_fees: slice.coins() }
  return { _: 'tr_phase_bounce_negfunds' }
}
