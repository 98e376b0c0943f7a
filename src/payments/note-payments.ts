import { unlessMalformed } from '../common/errors.ts'
import { ORDERING_OPCODES } from '../contracts/ordered-messages.ts'
import { JETTON_TRANSFER } from '../contracts/transfer-bodies.ts'
import type { Batch, BatchTransaction } from '../model/batch.ts'
import { seqnoOfKey, type TransactionKey, transactionKey } from '../model/trace-changes.ts'
import { storedEntity } from '../store/entity-rows.ts'
import { messageCell, placesByHash, takenAt, transactionRow } from '../store/find.ts'
import { hasScope } from '../store/index-scope.ts'
import type { IndexStore } from '../store/index-store.ts'
import { hasMarks, markedPayments, markPayment, unmarkPayment } from '../store/payment-marks.ts'
import { appendPayments } from '../store/payment-rows.ts'
import type { FoundPayment } from '../store/payments/paid.ts'
import { newestRange, rangeAt } from '../store/ranges.ts'
import { readCell } from '../store/transaction-cells.ts'
import { rootOf, traceAt } from '../store/write-traces.ts'
import type { Cell } from '../ton/cell.ts'
import type { KnownTransfers } from './match/claim.ts'
import { type PaymentTransaction, readPaymentTransaction } from './match/payment-transaction.ts'
import { mayPay, paymentsAt } from './match/payments-at.ts'
import type { Surroundings } from './match/surroundings.ts'

/** The transfers of the index's network. */
export interface PaymentSource extends KnownTransfers {
  /** False while there are none at all: nothing is looked for then. */
  any(): boolean
}

/** Masterchain blocks that a payment's trace is waited for, above it and below. Then it is told, though the trace goes on. */
const PATIENCE = 32
/** The same where the index does not reach so far below it. */
const LONG_PATIENCE = 1_000
/** Masterchain blocks after which nobody waits any more for what a payment lacks itself. */
const GIVEN_UP = 10_000

/** Of a body that is a text comment. */
const TEXT_COMMENT = 0

const transactionOf = (workchain: number, cell: Cell): PaymentTransaction | undefined =>
  unlessMalformed(() => readPaymentTransaction(workchain, cell))

const storedTransaction = ({ tables, addresses }: IndexStore, key: TransactionKey): PaymentTransaction | undefined => {
  const row = transactionRow(tables, key)
  const cell = row && readCell(tables, key, row)
  return row && cell && transactionOf(addresses.of(row.account).workchain, cell)
}

const surroundingsOf = (store: IndexStore, transfers: KnownTransfers): Surroundings => ({
  transfers,
  wallets: (account) => storedEntity(store, 'jetton_wallet', account)?.entity,
  takerOf: (hash) => {
    const side = takenAt(store.tables, hash)
    return side && storedTransaction(store, side.transaction)
  },
})

/** Bodies that may name a transfer in their text, or order messages that do. */
const READABLE = new Set([TEXT_COMMENT, JETTON_TRANSFER, ...ORDERING_OPCODES])

/** Tells without opening it that a transaction names no transfer; few remain to be opened. */
const isWorthOpening = ({ in_msg }: BatchTransaction, transfers: KnownTransfers): boolean => {
  if (!in_msg || in_msg.kind === 'ext_in') return in_msg !== null
  const { opcode, body_hash } = in_msg
  return (opcode !== null && READABLE.has(opcode)) || transfers.byBodyHash(body_hash) !== undefined
}

const markNew = (store: IndexStore, { mc, transactions }: Batch, transfers: KnownTransfers): void => {
  for (const transaction of transactions) {
    if (!isWorthOpening(transaction, transfers)) continue
    const read = transactionOf(transaction.account.workchain, transaction.cell)
    if (read && mayPay(read, transfers)) markPayment(store.tables, transactionKey(mc.seqno, transaction.index))
  }
}

/**
 * True where an earlier transaction took the same message from outside: a wallet whose actions fail stays as it was, and
 * is asked again and again until the message is too old. That is one payment that failed, not many.
 */
const isRepeated = ({ tables }: IndexStore, key: TransactionKey, { in_msg }: PaymentTransaction): boolean => {
  if (in_msg?.kind !== 'ext_in') return false
  for (const place of placesByHash(tables, in_msg.hash)) {
    if (place.transaction >= key) return false
    if (place.n === 0 && messageCell(tables, place)?.hash().equals(in_msg.hash)) return true
  }
  return false
}

/** True once the index went so far above a block and below it that what belongs to a trace there would be in it. */
const isOverdue = ({ tables }: IndexStore, mc_seqno: number): boolean => {
  const range = rangeAt(tables, mc_seqno)
  if (!range) return (newestRange(tables)?.last ?? 0) >= mc_seqno + LONG_PATIENCE
  const { first, last } = range
  return last >= mc_seqno + (first <= mc_seqno - PATIENCE ? PATIENCE : LONG_PATIENCE)
}

/** The id of a marked transaction's trace, once what came of the payment can be told. */
const endedTrace = (store: IndexStore, key: TransactionKey): Buffer | undefined => {
  const trace = traceAt(store.tables, rootOf(store.tables, key))
  if (!trace) return undefined
  const ended = trace.state === 'complete' || hasScope(store.tables) || isOverdue(store, seqnoOfKey(key))
  return ended ? trace.root_hash : undefined
}

const isGivenUp = ({ tables }: IndexStore, key: TransactionKey): boolean =>
  (newestRange(tables)?.last ?? 0) > seqnoOfKey(key) + GIVEN_UP

/**
 * Finds the payments of transfers in a masterchain block that was just written, within its transaction: a transaction that
 * may be one is marked, and told as a payment once its trace is complete. In an index of chosen accounts traces are cut off,
 * and a trace can go on for ever: there, and after a while, it is told once it is known what came of it.
 */
export const notePayments = (store: IndexStore, batch: Batch, source: PaymentSource): void => {
  const { tables } = store
  if (source.any()) markNew(store, batch, source)
  if (!hasMarks(tables)) return
  const around = surroundingsOf(store, source)
  const found: FoundPayment[] = []
  for (const key of markedPayments(tables)) {
    const trace_id = endedTrace(store, key)
    const transaction = trace_id && storedTransaction(store, key)
    const isNew = transaction && !isRepeated(store, key, transaction)
    const outcomes = isNew ? paymentsAt(transaction, around) : transaction && []
    if (outcomes && trace_id)
      found.push(...outcomes.map(({ reference, payment }) => ({ reference, payment: { ...payment, trace_id } })))
    if (outcomes || isGivenUp(store, key)) unmarkPayment(tables, key)
  }
  appendPayments(tables, batch.mc.seqno, found)
}
