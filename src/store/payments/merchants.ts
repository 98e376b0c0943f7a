import { hash } from 'node:crypto'
import { TonlithError } from '../../common/errors.ts'
import { bytesOfUlid } from '../../common/ulid.ts'
import type { KeyNetwork } from '../../model/api-key.ts'
import type { Merchant, MerchantKey } from '../../model/payments.ts'
import type { PaymentStore } from './environment.ts'
import { decodeMerchant, decodeMerchantKey, encodeMerchant, encodeMerchantKey } from './rows.ts'

/** What a key is found by. Keys are random and long: a plain SHA-256 is enough, and each request needs it. */
export const merchantKeyId = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The merchant with this id (a ULID), disabled or not. */
export const findMerchant = ({ tables }: PaymentStore, id: string): Merchant | undefined => {
  const bytes = tables.merchants.get(bytesOfUlid(id))
  return bytes && decodeMerchant(bytes)
}

/** All merchants, the oldest first. */
export const listMerchants = ({ tables }: PaymentStore): Merchant[] =>
  Array.from(tables.merchants.getRange(), ({ value }) => decodeMerchant(value))

/** The merchant of this network and name that is not disabled. */
export const merchantNamed = (store: PaymentStore, network: KeyNetwork, name: string): Merchant | undefined =>
  listMerchants(store).find(
    (merchant) => merchant.network === network && merchant.name === name && merchant.disabled === null,
  )

const refuseTakenName = (store: PaymentStore, { id, network, name }: Merchant): void => {
  const found = merchantNamed(store, network, name)
  if (found && found.id !== id) throw new TonlithError('conflict', `there is a merchant ${name} on ${network} already`)
}

/**
 * Keeps a new merchant with its first key, in one transaction.
 * @param secret of the key
 * @throws TonlithError `conflict` when its name is taken; as Environment.transaction does
 */
export const addMerchant = (store: PaymentStore, merchant: Merchant, secret: string, key: MerchantKey): void =>
  store.transaction(() => {
    refuseTakenName(store, merchant)
    store.tables.merchants.putSync(bytesOfUlid(merchant.id), encodeMerchant(merchant))
    store.tables.merchant_keys.putSync(merchantKeyId(secret), encodeMerchantKey(key))
  })

/**
 * Replaces a merchant by what `change` makes of it, in one transaction; its id and network stay.
 * @throws TonlithError `notFound` when there is none, `conflict` when its new name is taken; what `change` throws; as
 * Environment.transaction does
 */
export const changeMerchant = (store: PaymentStore, id: string, change: (merchant: Merchant) => Merchant): Merchant =>
  store.transaction(() => {
    const found = findMerchant(store, id)
    if (!found) throw new TonlithError('notFound', 'there is no such merchant')
    const changed = change(found)
    if (changed.disabled === null) refuseTakenName(store, changed)
    store.tables.merchants.putSync(bytesOfUlid(id), encodeMerchant(changed))
    return changed
  })

/** A key with the merchant that has it. */
export interface KeyOfMerchant {
  readonly key: MerchantKey
  readonly merchant: Merchant
}

/** The key with this id (merchantKeyId), revoked or not, and its merchant, disabled or not. */
export const findMerchantKeyById = (store: PaymentStore, id: Buffer): KeyOfMerchant | undefined => {
  const bytes = store.tables.merchant_keys.get(id)
  if (!bytes) return undefined
  const key = decodeMerchantKey(bytes)
  const merchant = findMerchant(store, key.merchant)
  return merchant && { key, merchant }
}

/** The key with this secret, revoked or not, and its merchant, disabled or not. */
export const findMerchantKey = (store: PaymentStore, secret: string): KeyOfMerchant | undefined =>
  findMerchantKeyById(store, merchantKeyId(secret))

const keysOf = ({ tables }: PaymentStore, merchant: string): { id: Buffer; key: MerchantKey }[] =>
  Array.from(tables.merchant_keys.getRange(), ({ key: id, value }) => ({ id, key: decodeMerchantKey(value) })).filter(
    ({ key }) => key.merchant === merchant,
  )

/** The keys of a merchant, revoked ones too, the oldest first. */
export const listMerchantKeys = (store: PaymentStore, merchant: string): MerchantKey[] =>
  keysOf(store, merchant)
    .map(({ key }) => key)
    .sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1))

/** How many keys of one merchant can be valid at a time. */
export const MAX_MERCHANT_KEYS = 100
/** How many revoked ones are kept of one, to be listed; the ones revoked first make room. */
export const MAX_REVOKED_KEYS = 100

/**
 * Keeps a new key of a merchant; of those that were revoked, the newest MAX_REVOKED_KEYS stay.
 * @throws TonlithError `conflict` when a valid key of the merchant has its name, `limit` when it has MAX_MERCHANT_KEYS
 * valid ones; as Environment.transaction does
 */
export const addMerchantKey = (store: PaymentStore, secret: string, key: MerchantKey): void =>
  store.transaction(() => {
    const { valid = [], revoked = [] } = Object.groupBy(keysOf(store, key.merchant), (one) =>
      one.key.revoked === null ? 'valid' : 'revoked',
    )
    if (valid.some((one) => one.key.name === key.name))
      throw new TonlithError('conflict', `there is a key ${key.name} already`)
    if (valid.length >= MAX_MERCHANT_KEYS)
      throw new TonlithError('limit', `a merchant can have ${MAX_MERCHANT_KEYS} keys: revoke one first`)
    revoked.sort((a, b) => b.key.revoked! - a.key.revoked!)
    for (const { id } of revoked.slice(MAX_REVOKED_KEYS)) store.tables.merchant_keys.removeSync(id)
    store.tables.merchant_keys.putSync(merchantKeyId(secret), encodeMerchantKey(key))
  })

/**
 * Revokes the valid key of this name.
 * @param now unix seconds
 * @throws TonlithError `notFound` when there is none; as Environment.transaction does
 */
export const revokeMerchantKey = (store: PaymentStore, merchant: string, name: string, now: number): MerchantKey =>
  store.transaction(() => {
    const found = keysOf(store, merchant).find(({ key }) => key.name === name && key.revoked === null)
    if (!found) throw new TonlithError('notFound', `there is no valid key ${name}`)
    const revoked = { ...found.key, revoked: now }
    store.tables.merchant_keys.putSync(found.id, encodeMerchantKey(revoked))
    return revoked
  })
