import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, openEnvironment } from '../environment.ts'
import { storeFailure } from '../failure.ts'

/**
 * The tables of the payments store. Ids of merchants and events, and references, are the 16 bytes of their ULIDs, so that
 * a list goes by time.
 *
 * - merchants: id -> Merchant
 * - merchant_keys: SHA-256 of the key -> MerchantKey
 * - sessions: SHA-256 of the session's secret -> Session; of those who are signed in to the dashboard
 * - transfers: reference -> Transfer
 * - transfers_by_body: body hash -> reference
 * - transfers_by_merchant: merchant, reference -> -
 * - unpaid: owner (merchant; zeros: none), expires (uint32), reference -> -
 * - unpaid_counts: owner -> uint32
 * - paid: reference, transaction hash -> -; the payments that are taken over
 * - cursors: network -> PaymentCursor
 * - events: id -> WebhookEvent
 * - events_by_merchant: merchant, id -> -
 * - events_by_transfer: reference, id -> -
 * - deliveries: id of the event -> Delivery
 * - due: merchant, due (uint48, milliseconds), id of the event -> -
 * - attempts: id of the event, n (uint32) -> Attempt
 */
export const PAYMENT_TABLES = [
  'merchants',
  'merchant_keys',
  'sessions',
  'transfers',
  'transfers_by_body',
  'transfers_by_merchant',
  'unpaid',
  'unpaid_counts',
  'paid',
  'cursors',
  'events',
  'events_by_merchant',
  'events_by_transfer',
  'deliveries',
  'due',
  'attempts',
] as const

export type PaymentTable = (typeof PAYMENT_TABLES)[number]

/** What merchants, their transfers and the events about these are kept in: one folder for all networks. */
export type PaymentStore = Environment<PaymentTable>

const VERSION = 1
/** The secrets of webhooks stand in it as they are: the HMAC needs them. */
const PRIVATE = 0o700

/**
 * Opens the payments store in the data folder, which only its owner may enter. Throws as openEnvironment does.
 */
export const openPaymentStore = async (data: string, readOnly = false): Promise<PaymentStore> => {
  const path = join(data, 'payments')
  if (!readOnly) keepPrivate(path)
  return openEnvironment({
    path,
    stamp: { store: 'payments', version: VERSION },
    remedies: {
      otherNetwork: 'name another data folder: --data DIR',
      older: 'open it with the version of tonlith that wrote it',
      damaged: 'restore a backup of the folder, or remove it: all merchants and transfers are lost then',
      newer: 'use the version of tonlith that wrote it, or a newer one',
    },
    tables: PAYMENT_TABLES,
    readOnly,
  })
}

const keepPrivate = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE })
    chmodSync(path, PRIVATE)
  } catch (error) {
    throw storeFailure(error, path)
  }
}
