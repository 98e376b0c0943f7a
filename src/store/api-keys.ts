import { hash } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import type { StoredKey } from '../model/api-key.ts'
import { type OperatorStore, openOperatorStore } from './operator.ts'

/** The operator's store, opened for its API keys. */
export type KeyStore = OperatorStore<'keys'>

/** Opens the store of API keys in the data folder. Throws as openEnvironment does. */
export const openKeyStore = (data: string, readOnly = false): Promise<KeyStore> =>
  openOperatorStore(data, ['keys'], readOnly)

/**
 * Under what a key is kept. A plain SHA-256 is enough: secrets are random and long, so that nobody finds one by trying,
 * which is what a slow hash would be for, and each request needs it.
 */
const idOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const encode = (key: StoredKey): Buffer => Buffer.from(JSON.stringify(key))
const decode = (bytes: Buffer): StoredKey => JSON.parse(bytes.toString()) as StoredKey

/** The key with this secret, revoked or not. */
export const findKey = ({ tables }: KeyStore, secret: string): StoredKey | undefined => {
  const bytes = tables.keys.get(idOf(secret))
  return bytes && decode(bytes)
}

/** All keys, the oldest first. */
export const listKeys = ({ tables }: KeyStore): StoredKey[] =>
  [...tables.keys.getRange()]
    .map(({ value }) => decode(value))
    .sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1))

const validNamed = ({ tables }: KeyStore, name: string): { id: Buffer; key: StoredKey } | undefined => {
  for (const { key: id, value } of tables.keys.getRange()) {
    const key = decode(value)
    if (key.revoked === null && key.name === name) return { id, key }
  }
  return undefined
}

const refuseTaken = (store: KeyStore, name: string): void => {
  const taken = validNamed(store, name)
  if (!taken) return
  const { network } = taken.key
  throw new TonlithError('conflict', `there is a key ${name} already (${network}): a name is one key's on all networks`)
}

/**
 * Keeps a new key.
 * @throws TonlithError `conflict` when a valid key has its name; as Environment.transaction does
 */
export const addKey = (store: KeyStore, secret: string, key: StoredKey): void =>
  store.transaction(() => {
    refuseTaken(store, key.name)
    store.tables.keys.putSync(idOf(secret), encode(key))
  })

/**
 * Changes fields of the valid key of this name, and gives it as it is now.
 * @throws TonlithError `notFound` when there is none, `conflict` when its new name is taken; as Environment.transaction does
 */
export const changeKey = (
  store: KeyStore,
  name: string,
  changes: Partial<Pick<StoredKey, 'name' | 'owner' | 'plan' | 'revoked'>>,
): StoredKey =>
  store.transaction(() => {
    const found = validNamed(store, name)
    if (!found) throw new TonlithError('notFound', `there is no valid key ${name}; tonlith keys list tells them`)
    if (changes.name !== undefined && changes.name !== name) refuseTaken(store, changes.name)
    const changed = { ...found.key, ...changes }
    store.tables.keys.putSync(found.id, encode(changed))
    return changed
  })
