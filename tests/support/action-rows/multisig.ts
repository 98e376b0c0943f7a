import type { RowData } from './row-data.ts'

export const MULTISIG_ROWS: RowData = {
  multisig_create_order: (details) => ({ multisig_create_order_data: details }),
  multisig_approve: ({ signer_index, exit_code }) => ({ multisig_approve_data: { signer_index, exit_code } }),
  multisig_execute: (details) => ({ multisig_execute_data: details }),
}
