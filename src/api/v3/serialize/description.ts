import { extraCurrencies } from '../../../ton/tlb/currency.ts'
import type { StorageUsed } from '../../../ton/tlb/storage-info.ts'
import type { SplitMergeInfo, TransactionDescr } from '../../../ton/tlb/transaction-descr.ts'
import type {
  TrActionPhase,
  TrBouncePhase,
  TrComputePhase,
  TrCreditPhase,
  TrStoragePhase,
} from '../../../ton/tlb/transaction-phases.ts'
import type { Wire } from '../go-json.ts'
import { base64, currencies, given } from './scalars.ts'

const TYPES: Record<TransactionDescr['_'], string> = {
  trans_ord: 'ord',
  trans_storage: 'storage',
  trans_tick_tock: 'tick_tock',
  trans_split_prepare: 'split_prepare',
  trans_split_install: 'split_install',
  trans_merge_prepare: 'merge_prepare',
  trans_merge_install: 'merge_install',
}

const msgSize = ({ cells, bits }: StorageUsed): Wire => ({ cells: String(cells), bits: String(bits) })

const storagePhase = (phase: TrStoragePhase): Wire => ({
  storage_fees_collected: String(phase.storage_fees_collected),
  storage_fees_due: given(phase.storage_fees_due, String),
  status_change: phase.status_change.replace('acst_', ''),
})

const creditPhase = ({ due_fees_collected, credit }: TrCreditPhase): Wire => ({
  due_fees_collected: given(due_fees_collected, String),
  credit: String(credit.grams),
  credit_extra_currencies: given(credit.other, (other) => currencies(extraCurrencies(other))),
})

const computePhase = (phase: TrComputePhase): Wire =>
  phase._ === 'tr_phase_compute_skipped'
    ? { skipped: true, reason: phase.reason.replace('cskip_', '') }
    : {
        skipped: false,
        success: phase.success,
        msg_state_used: phase.msg_state_used,
        account_activated: phase.account_activated,
        gas_fees: String(phase.gas_fees),
        gas_used: String(phase.gas_used),
        gas_limit: String(phase.gas_limit),
        gas_credit: given(phase.gas_credit, String),
        mode: phase.mode,
        exit_code: phase.exit_code,
        exit_arg: phase.exit_arg ?? undefined,
        vm_steps: phase.vm_steps,
        vm_init_state_hash: base64(phase.vm_init_state_hash),
        vm_final_state_hash: base64(phase.vm_final_state_hash),
      }

const actionPhase = (phase: TrActionPhase): Wire => ({
  success: phase.success,
  valid: phase.valid,
  no_funds: phase.no_funds,
  status_change: phase.status_change.replace('acst_', ''),
  total_fwd_fees: given(phase.total_fwd_fees, String),
  total_action_fees: given(phase.total_action_fees, String),
  result_code: phase.result_code,
  result_arg: phase.result_arg ?? undefined,
  tot_actions: phase.tot_actions,
  spec_actions: phase.spec_actions,
  skipped_actions: phase.skipped_actions,
  msgs_created: phase.msgs_created,
  action_list_hash: base64(phase.action_list_hash),
  tot_msg_size: msgSize(phase.tot_msg_size),
})

const bouncePhase = (phase: TrBouncePhase): Wire => {
  switch (phase._) {
    case 'tr_phase_bounce_negfunds':
      return { type: 'negfunds' }
    case 'tr_phase_bounce_nofunds':
      return { type: 'nofunds', msg_size: msgSize(phase.msg_size), req_fwd_fees: String(phase.req_fwd_fees) }
    case 'tr_phase_bounce_ok':
      return {
        type: 'ok',
        msg_size: msgSize(phase.msg_size),
        msg_fees: String(phase.msg_fees),
        fwd_fees: String(phase.fwd_fees),
      }
  }
}

const splitInfo = (info: SplitMergeInfo): Wire => ({
  cur_shard_pfx_len: info.cur_shard_pfx_len,
  acc_split_depth: info.acc_split_depth,
  this_addr: base64(info.this_addr),
  sibling_addr: base64(info.sibling_addr),
})

/** What one kind of transaction or another has. */
interface Parts {
  aborted?: boolean
  destroyed?: boolean
  credit_first?: boolean
  is_tock?: boolean
  installed?: boolean
  storage_ph?: TrStoragePhase | null
  credit_ph?: TrCreditPhase | null
  compute_ph?: TrComputePhase
  action?: TrActionPhase | null
  bounce?: TrBouncePhase | null
  split_info?: SplitMergeInfo
}

/** Descr of contracts/v3.md 5.2: each part where the kind of transaction has it. */
export const description = (descr: TransactionDescr): Wire => {
  const { storage_ph, credit_ph, compute_ph, action, bounce, split_info, ...flags }: Parts = descr
  return {
    type: TYPES[descr._],
    aborted: flags.aborted,
    destroyed: flags.destroyed,
    credit_first: flags.credit_first,
    is_tock: flags.is_tock,
    installed: flags.installed,
    storage_ph: storage_ph ? storagePhase(storage_ph) : undefined,
    credit_ph: credit_ph ? creditPhase(credit_ph) : undefined,
    compute_ph: compute_ph && computePhase(compute_ph),
    action: action ? actionPhase(action) : undefined,
    bounce: bounce ? bouncePhase(bounce) : undefined,
    split_info: split_info && splitInfo(split_info),
  }
}
