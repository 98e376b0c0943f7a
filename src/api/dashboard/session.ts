import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyNetwork } from '../../model/api-key.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findMerchantKey, type KeyOfMerchant, merchantKeyId } from '../../store/payments/merchants.ts'
import { addSession, findSession, removeSession } from '../../store/payments/sessions.ts'

/** How long somebody stays signed in: seconds. */
export const SESSION_SECONDS = 12 * 3600

const SECRET = /^[A-Za-z0-9_-]{43}$/
/** Longer texts are no key. */
const MAX_KEY = 200

/** A secret for a cookie: 256 random bits. It is kept only as its SHA-256. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** True for what newSecret can have made. */
export const isSecret = (text: string | undefined): text is string => text !== undefined && SECRET.test(text)

const idOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** What the forms of the pages carry that are shown to who has this secret: another site cannot know it. */
export const formToken = (secret: string): string => createHmac('sha256', secret).update('form').digest('base64url')

/** True when a form carries the token of this secret. */
export const isFormToken = (token: string, secret: string): boolean => {
  const [given, wanted] = [Buffer.from(token), Buffer.from(formToken(secret))]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const usable = (found: KeyOfMerchant | undefined, network: KeyNetwork): KeyOfMerchant | undefined =>
  found?.key.revoked === null && found.merchant.disabled === null && found.merchant.network === network
    ? found
    : undefined

/** Whose key this is; undefined where it is none of this network, or not valid. */
export const keyHolder = (store: PaymentStore, network: KeyNetwork, key: string): KeyOfMerchant | undefined =>
  key.length > MAX_KEY ? undefined : usable(findMerchantKey(store, key), network)

/**
 * Signs in with a key that has a holder.
 * @param now unix seconds
 * @returns the secret of the new session
 * @throws as Environment.transaction does
 */
export const signIn = (store: PaymentStore, key: string, now: number): string => {
  const secret = newSecret()
  const session = { key: merchantKeyId(key).toString('hex'), created: now, expires: now + SESSION_SECONDS }
  addSession(store, idOf(secret), session)
  return secret
}

/** Who is signed in with this secret at `now` (unix seconds), while the key is valid that it was done with. */
export const signedIn = (
  store: PaymentStore,
  network: KeyNetwork,
  secret: string,
  now: number,
): KeyOfMerchant | undefined => usable(findSession(store, idOf(secret), now), network)

/** Ends a session. @throws as Environment.transaction does */
export const signOut = (store: PaymentStore, secret: string): void => removeSession(store, idOf(secret))
