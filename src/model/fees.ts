import { TonlithError } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../ton/tlb/transaction-descr.ts'

/** What an account pays for processing an external message; nano-units. */
export interface Fees {
  /** For the import of the message. */
  in_fwd_fee: bigint
  /** For its storage up to now. */
  storage_fee: bigint
  gas_fee: bigint
  /** For carrying the messages that it sends, their whole way. */
  fwd_fee: bigint
}

/**
 * The fees of an ordinary transaction that an external message caused. The import fee has no field of its own in TL-B
 * Transaction: it is what `total_fees` has beyond the fees of the phases. Throws `malformed`.
 */
export const transactionFees = (transaction: Cell): Fees => {
  const { total_fees, description } = parseTransaction(transaction)
  const descr = parseTransactionDescr(description)
  if (descr._ !== 'trans_ord') throw new TonlithError('malformed', 'not the transaction of a message')
  const { storage_ph, compute_ph, action } = descr
  const storage_fee = storage_ph?.storage_fees_collected ?? 0n
  const gas_fee = compute_ph._ === 'tr_phase_compute_vm' ? compute_ph.gas_fees : 0n
  return {
    in_fwd_fee: total_fees.grams - storage_fee - gas_fee - (action?.total_action_fees ?? 0n),
    storage_fee,
    gas_fee,
    fwd_fee: action?.total_fwd_fees ?? 0n,
  }
}
