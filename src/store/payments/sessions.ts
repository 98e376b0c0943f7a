import type { PaymentStore } from './environment.ts'
import { findMerchantKeyById, type KeyOfMerchant } from './merchants.ts'

/** Somebody who is signed in to the dashboard with a merchant's key. Times are unix seconds. */
export interface Session {
  /** Id of the key (hex): the session ends with it. */
  readonly key: string
  readonly created: number
  readonly expires: number
}

/** How many there can be with one key; the oldest one makes room. */
export const MAX_SESSIONS = 20
/** How many there can be at all. */
const MAX_ALL_SESSIONS = 10_000

const decode = (bytes: Buffer): Session => JSON.parse(bytes.toString()) as Session

const byAge = (a: { session: Session }, b: { session: Session }): number => a.session.created - b.session.created

/**
 * Keeps a new session; those that are over are removed, and the oldest ones where there are too many.
 * @param id SHA-256 of its secret
 * @throws as Environment.transaction does
 */
export const addSession = (store: PaymentStore, id: Buffer, session: Session): void =>
  store.transaction(() => {
    const { tables } = store
    const all = Array.from(tables.sessions.getRange(), ({ key, value }) => ({
      key: Buffer.from(key),
      session: decode(value),
    })).sort(byAge)
    const valid = all.filter((one) => one.session.expires > session.created)
    const alike = valid.filter((one) => one.session.key === session.key)
    const ended = [
      ...all.filter((one) => one.session.expires <= session.created),
      ...alike.slice(0, Math.max(0, alike.length + 1 - MAX_SESSIONS)),
      ...valid.slice(0, Math.max(0, valid.length + 1 - MAX_ALL_SESSIONS)),
    ]
    for (const { key } of ended) tables.sessions.removeSync(key)
    tables.sessions.putSync(id, Buffer.from(JSON.stringify(session)))
  })

/**
 * The key and the merchant of a session that is not over; the key may be revoked and the merchant disabled.
 * @param id SHA-256 of its secret
 * @param now unix seconds
 */
export const findSession = (store: PaymentStore, id: Buffer, now: number): KeyOfMerchant | undefined => {
  const bytes = store.tables.sessions.get(id)
  const session = bytes && decode(bytes)
  return session && now < session.expires ? findMerchantKeyById(store, Buffer.from(session.key, 'hex')) : undefined
}

/** Ends a session, if there is one. @throws as Environment.transaction does */
export const removeSession = (store: PaymentStore, id: Buffer): void =>
  store.transaction(() => void store.tables.sessions.removeSync(id))
