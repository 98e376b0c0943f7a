import { join } from 'node:path'
import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { hasDataFile } from '../store/disk.ts'
import { indexFolder, openIndexStore } from '../store/index-store.ts'
import { foundPayments } from '../store/payment-rows.ts'
import { openPaymentStore, type PaymentStore } from '../store/payments/environment.ts'
import { allPayments, type GonePayment, undoPayments } from '../store/payments/undo.ts'

/** What an index has found of payments, by the masterchain block with which that was. */
export type NotedPayments = ReturnType<typeof foundPayments>

/**
 * Reads what payments the index of a folder has found; none where there is no index, or one that cannot be read. It must be
 * left alone meanwhile.
 */
export const paymentsIn = async (home: string, network: string, logger: Logger): Promise<NotedPayments> => {
  const folder = indexFolder(home)
  if (!hasDataFile(folder)) return []
  try {
    const { environment, tables } = await openIndexStore(folder, network, { readOnly: true })
    try {
      return foundPayments(tables)
    } finally {
      await environment.close()
    }
  } catch (err) {
    if (!isTonlithError(err)) throw err
    logger.warn({ err }, 'payments behind the snapshot are not taken back: the index cannot be read')
    return []
  }
}

/** Takes payments of `dev` back in a data folder; gives how many were known. */
const undoIn = async (data: string, choose: (store: PaymentStore) => readonly GonePayment[]): Promise<number> => {
  if (!hasDataFile(join(data, 'payments'))) return 0
  const store = await openPaymentStore(data)
  try {
    return undoPayments(store, 'dev', choose(store), systemClock.now())
  } finally {
    await store.close()
  }
}

/**
 * Takes back, in the payments of `dev`, those that were found behind a masterchain block: the chain ends there again.
 * @throws TonlithError as openPaymentStore and undoPayments do
 */
export const undoPaymentsBehind = async (data: string, seqno: number, noted: NotedPayments): Promise<number> => {
  const gone = noted.filter(({ mc_seqno }) => mc_seqno > seqno)
  if (gone.length === 0) return 0
  return await undoIn(data, () => gone.map(({ reference, payment: { tx_hash } }) => ({ reference, tx_hash })))
}

/**
 * Takes back all payments of `dev`: a new network begins, on which none of them was made.
 * @throws TonlithError as openPaymentStore and undoPayments do
 */
export const undoAllPayments = (data: string): Promise<number> => undoIn(data, (store) => allPayments(store, 'dev'))
