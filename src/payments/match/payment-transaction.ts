import { type MessageFailure, transactionFailure } from '../../contracts/message-failure.ts'
import type { TraceTransaction } from '../../model/trace.ts'
import { readTraceTransaction } from '../../model/trace-transaction.ts'
import type { Cell } from '../../ton/cell.ts'
import { parseTransaction } from '../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../ton/tlb/transaction-descr.ts'

/** A transaction as the matching of payments sees it. */
export interface PaymentTransaction extends TraceTransaction {
  /** Where it failed; null where it did not. Money that stays with an account that cannot run is no failure. */
  failure: MessageFailure | null
  /** How many messages it left out because they could not be sent and were marked not to matter then (send mode 2). */
  skipped_actions: number
}

/** Reads a transaction from its cell, which does not name the workchain of its account. Throws `malformed`. */
export const readPaymentTransaction = (workchain: number, cell: Cell): PaymentTransaction => {
  const descr = parseTransactionDescr(parseTransaction(cell).description)
  const action = 'action' in descr ? descr.action : null
  return {
    ...readTraceTransaction(workchain, cell),
    failure: transactionFailure(descr),
    skipped_actions: action?.skipped_actions ?? 0,
  }
}
