import type { EntityRecord } from '../../../model/entity-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Row } from '../row-page.ts'
import { orderActions } from './order-actions.ts'
import { base64, base64OrNull } from './scalars.ts'

const NO_ACTIONS: Row = { wire: null, addresses: [] }

/** MultisigOrder of contracts/v3.md 5.9. */
export const multisigOrder = (
  { entity, ...record }: EntityRecord<'multisig_order'>,
  { parseActions }: { parseActions: boolean },
): Row => {
  const address = rawAddressUpper(record.address)
  const multisig_address = rawAddressUpper(entity.multisig_address)
  const signers = entity.signers.map(rawAddressUpper)
  const actions = parseActions ? orderActions(entity.order_boc) : NO_ACTIONS
  return {
    wire: {
      address,
      multisig_address,
      order_seqno: String(entity.order_seqno),
      threshold: entity.threshold,
      sent_for_execution: entity.sent_for_execution,
      approvals_mask: String(entity.approvals_mask),
      approvals_num: entity.approvals_num,
      expiration_date: entity.expiration_date,
      order_boc: base64(entity.order_boc),
      signers,
      last_transaction_lt: String(record.last_transaction_lt),
      code_hash: base64OrNull(record.code_hash),
      data_hash: base64OrNull(record.data_hash),
      actions: actions.wire,
    },
    addresses: [address, multisig_address, ...signers, ...actions.addresses],
  }
}

/** Multisig of contracts/v3.md 5.9 but for its orders. */
export const multisig = ({ entity, ...record }: EntityRecord<'multisig'>): Row => {
  const address = rawAddressUpper(record.address)
  const signers = entity.signers.map(rawAddressUpper)
  const proposers = entity.proposers.map(rawAddressUpper)
  return {
    wire: {
      address,
      next_order_seqno: String(entity.next_order_seqno),
      threshold: entity.threshold,
      signers,
      proposers,
      last_transaction_lt: String(record.last_transaction_lt),
      code_hash: base64OrNull(record.code_hash),
      data_hash: base64OrNull(record.data_hash),
    },
    addresses: [address, ...signers, ...proposers],
  }
}

/** A multisig with the list of its orders, as JSON; null stands for none. */
export const withOrders = (multisig: string, orders: string | null): string =>
  `${multisig.slice(0, -1)},"orders":${orders}}`
