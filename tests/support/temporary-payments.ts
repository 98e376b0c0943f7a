import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeUlid } from '../../src/common/ulid.ts'
import type { KeyNetwork } from '../../src/model/api-key.ts'
import type { Merchant, WebhookEvent } from '../../src/model/payments.ts'
import { openPaymentStore, type PaymentStore } from '../../src/store/payments/environment.ts'
import { addEvent, newDelivery } from '../../src/store/payments/events.ts'
import { addMerchant } from '../../src/store/payments/merchants.ts'

/** An empty payments store in a data folder of its own. */
export interface TemporaryPayments {
  store: PaymentStore
  data: string
  remove(): Promise<void>
}

export const temporaryPayments = async (): Promise<TemporaryPayments> => {
  const data = mkdtempSync(join(tmpdir(), 'tonlith-payments-'))
  const store = await openPaymentStore(data)
  return {
    store,
    data,
    remove: async () => {
      await store.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

let made = 0

/** A ULID that no other call gives. */
const nextUlid = (now: number): string => {
  const random = Buffer.alloc(10)
  random.writeUInt32BE(++made, 6)
  return makeUlid(now, random)
}

/** Keeps a merchant with this URL, and gives it. */
export const madeMerchant = (
  store: PaymentStore,
  url: string | null,
  network: KeyNetwork = 'testnet',
  now = 1_700_000_000_000,
): Merchant => {
  const id = nextUlid(now)
  const created = Math.floor(now / 1000)
  const merchant: Merchant = {
    id,
    name: `shop-${id}`,
    network,
    wallet: null,
    webhook: { url, secrets: [{ secret: `whsec_${Buffer.from(id).toString('base64')}`, created, until: null }] },
    created,
    disabled: null,
  }
  addMerchant(store, merchant, `key-${id}`, { merchant: id, name: 'first', created, revoked: null })
  return merchant
}

/** Keeps events about transfers of a merchant, made at `now`, in one transaction, and gives them. */
export const madeEvents = (
  store: PaymentStore,
  merchant: Merchant,
  count: number,
  now = 1_700_000_000_000,
  test = false,
): WebhookEvent[] =>
  store.transaction(() =>
    Array.from({ length: count }, () => {
      const reference = nextUlid(now)
      const event: WebhookEvent = {
        id: nextUlid(now),
        merchant: merchant.id,
        reference: test ? null : reference,
        kind: 'transfer.completed',
        test,
        body: Buffer.from(JSON.stringify({ event: 'transfer.completed', data: { reference } })),
        created: now,
      }
      addEvent(store, event, newDelivery(event, merchant))
      return event
    }),
  )
