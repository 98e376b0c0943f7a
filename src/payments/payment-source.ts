import type { KeyNetwork } from '../model/api-key.ts'
import type { Transfer } from '../model/payments.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { findTransfer, findTransferByBody, hasTransfers } from '../store/payments/transfers.ts'
import type { PaymentSource } from './note-payments.ts'

/** The transfers of one network in the payments store. Throws `malformed` for a damaged row. */
export const paymentSource = (store: PaymentStore, network: KeyNetwork): PaymentSource => {
  const own = (transfer: Transfer | undefined): Transfer | undefined =>
    transfer?.network === network ? transfer : undefined
  return {
    any: () => hasTransfers(store),
    byBodyHash: (hash) => own(findTransferByBody(store, hash)),
    byReference: (reference) => own(findTransfer(store, reference)),
  }
}
