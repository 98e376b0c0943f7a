import { randomBytes } from 'node:crypto'
import { makeUlid } from '../common/ulid.ts'
import type { Merchant } from '../model/payments.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { addMerchant } from '../store/payments/merchants.ts'
import { newMerchantKey, newWebhookSecret } from './secrets.ts'

/** What a new merchant is told, this once. */
export interface NewMerchant {
  readonly merchant: Merchant
  readonly key: string
  readonly secret: string
}

/**
 * Keeps a new merchant with a key, named `first`, and a secret for its webhooks.
 * @param now unix milliseconds
 * @throws as addMerchant does
 */
export const makeMerchant = (
  store: PaymentStore,
  { url, ...fields }: Pick<Merchant, 'name' | 'network' | 'wallet'> & { url: string | null },
  now: number,
): NewMerchant => {
  const created = Math.floor(now / 1000)
  const [key, secret] = [newMerchantKey(), newWebhookSecret()]
  const id = makeUlid(now, randomBytes(10))
  const webhook = { url, secrets: [{ secret, created, until: null }] }
  const merchant: Merchant = { id, ...fields, webhook, created, disabled: null }
  addMerchant(store, merchant, key, { merchant: id, name: 'first', created, revoked: null })
  return { merchant, key, secret }
}
