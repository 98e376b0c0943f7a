import { join } from 'node:path'
import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { hasDataFile } from '../store/disk.ts'
import { indexFolder, openIndexStore } from '../store/index-store.ts'
import { foundPayments } from '../store/payment-rows.ts'
import { openPaymentStore } from '../store/payments/environment.ts'
import { undoPayments } from '../store/payments/undo.ts'

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

/**
 * Takes back, in the payments of `dev`, those that were found behind a masterchain block: the chain ends there again.
 * @throws TonlithError as openPaymentStore and undoPayments do
 */
export const undoPaymentsBehind = async (data: string, seqno: number, noted: NotedPayments): Promise<number> => {
  const gone = noted.filter(({ mc_seqno }) => mc_seqno > seqno)
  if (gone.length === 0 || !hasDataFile(join(data, 'payments'))) return 0
  const store = await openPaymentStore(data)
  try {
    const payments = gone.map(({ reference, payment }) => ({ reference, tx_hash: payment.tx_hash }))
    return undoPayments(store, 'dev', payments, systemClock.now())
  } finally {
    await store.close()
  }
}
