import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import { addressKey, readAddressKey, u32Key } from './keys.ts'
import type { Tables } from './tables.ts'

/** Stands for "no address": what is outside of the chain. */
export const NO_ADDRESS = 0

/** Entries kept of each direction. */
const CACHED = 100_000

/** Interned addresses. An id never changes and is never given again. */
export interface AddressIds {
  /** Id of a stored address, NO_ADDRESS for null; undefined for one that the index never saw. */
  find(address: Address | null): number | undefined
  /** The address of an id. Throws `malformed` for one that was never given. */
  of(id: number): Address
  /** Id of an address, given now when it is new: only inside a transaction that writes. */
  intern(address: Address | null): number
  /** Forgets what was cached: after a transaction that was given up. */
  forget(): void
}

/** Interned addresses over their two tables, with a cache of bounded size. */
export const addressIds = (tables: Pick<Tables, 'addresses' | 'address_ids'>): AddressIds => {
  const ids = new LRUCache<string, number>({ max: CACHED })
  const addresses = new LRUCache<number, Address>({ max: CACHED })
  /** Of objects that are asked for again, as all of one batch do that is of the same account. */
  let ofObjects = new WeakMap<Address, number>()
  /** The newest id, once it was looked up. */
  let newest: number | undefined

  const nameOf = ({ workchain, hash }: Address): string => hash.toString('latin1') + workchain

  const find = (address: Address): number | undefined => {
    const name = nameOf(address)
    const known = ids.get(name)
    if (known !== undefined) return known
    const stored = tables.address_ids.get(addressKey(address))?.readUInt32BE(0)
    if (stored !== undefined) ids.set(name, stored)
    return stored
  }

  const newestId = (): number => {
    for (const last of tables.addresses.getKeys({ reverse: true, limit: 1 })) return last.readUInt32BE(0)
    return NO_ADDRESS
  }

  const give = (address: Address): number => {
    newest = (newest ?? newestId()) + 1
    const id = newest
    const [idKey, key] = [u32Key(id), addressKey(address)]
    tables.addresses.putSync(idKey, key)
    tables.address_ids.putSync(key, idKey)
    ids.set(nameOf(address), id)
    return id
  }

  const intern = (address: Address): number => {
    const known = ofObjects.get(address)
    if (known !== undefined) return known
    const id = find(address) ?? give(address)
    ofObjects.set(address, id)
    return id
  }

  return {
    find: (address) => (address ? (ofObjects.get(address) ?? find(address)) : NO_ADDRESS),
    of: (id) => {
      const known = addresses.get(id)
      if (known) return known
      const stored = tables.addresses.get(u32Key(id))
      if (!stored) throw new TonlithError('malformed', `index: no address has the id ${id}`)
      const address = readAddressKey(stored)
      addresses.set(id, address)
      return address
    },
    intern: (address) => (address ? intern(address) : NO_ADDRESS),
    forget: () => {
      ids.clear()
      addresses.clear()
      ofObjects = new WeakMap()
      newest = undefined
    },
  }
}

/** The id of an address that a row names. Throws `malformed` where it has none. */
export const addressIdOf =
  ({ find }: Pick<AddressIds, 'find'>) =>
  (address: Address): number => {
    const id = find(address)
    if (id === undefined) throw new TonlithError('malformed', 'index: a row names an address without an id')
    return id
  }
