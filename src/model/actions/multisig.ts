import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { ActionOf } from './content.ts'

/** `expiration_date` in unix seconds. */
export type MultisigCreateOrderDetails = {
  query_id: bigint
  order_seqno: bigint
  is_created_by_signer: boolean
  is_signed_by_creator: boolean
  creator_index: number
  expiration_date: number
  order_boc: Cell
  source: Address | null
  destination: Address | null
  destination_order: Address | null
}

/** `signer_index` is -1 for who signed with a comment. */
export type MultisigApproveDetails = {
  signer_index: number
  exit_code: number
  source: Address | null
  destination: Address | null
}

/** `signers_hash` in base64. */
export type MultisigExecuteDetails = {
  query_id: bigint
  order_seqno: bigint
  expiration_date: number
  approvals_num: number
  signers_hash: string
  order_boc: Cell
  source: Address | null
  destination: Address | null
}

export type MultisigAction =
  | ActionOf<'multisig_create_order', MultisigCreateOrderDetails>
  | ActionOf<'multisig_approve', MultisigApproveDetails>
  | ActionOf<'multisig_execute', MultisigExecuteDetails>
