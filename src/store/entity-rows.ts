import type { EntityKind } from '../model/entities.ts'
import type { EntityRecord } from '../model/entity-records.ts'
import type { Address } from '../ton/address.ts'
import type { AddressIds } from './addresses.ts'
import { decodeEntity, ENTITY_KINDS, type EntityRow, kindNumber } from './entity-codec.ts'
import { u32Key } from './keys.ts'
import type { Tables } from './tables.ts'

/** What look-ups of entities read from. */
export interface EntitySource {
  tables: Pick<Tables, 'entities' | 'entity_kinds'>
  addresses: Pick<AddressIds, 'find' | 'of'>
}

/** Key of `entities`: the kind's number in one byte, the interned address. Without an address: what all of a kind have. */
export const entityKey = (kind: EntityKind, id?: number): Buffer => {
  const number = Buffer.of(kindNumber(kind))
  return id === undefined ? number : Buffer.concat([number, u32Key(id)])
}

/** The kinds of which an account (an interned address) has rows. */
export const kindsAt = ({ entity_kinds }: Pick<Tables, 'entity_kinds'>, id: number): EntityKind[] => {
  const bits = entity_kinds.getBinaryFast(u32Key(id))?.readUInt16BE(0) ?? 0
  return bits === 0 ? [] : ENTITY_KINDS.filter((_, number) => bits & (1 << number))
}

/** Value of `entity_kinds`. */
export const encodeKinds = (kinds: Iterable<EntityKind>): Buffer => {
  let bits = 0
  for (const kind of kinds) bits |= 1 << kindNumber(kind)
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(bits)
  return bytes
}

/** A row by the interned address of its account. Throws `malformed`. */
export const entityAt = <K extends EntityKind>(
  { tables, addresses }: EntitySource,
  kind: K,
  id: number,
): EntityRow<K> | undefined => {
  const bytes = tables.entities.get(entityKey(kind, id))
  return bytes && decodeEntity(kind, bytes, addresses)
}

/** The stored entity of a kind that an account is; undefined when it is none. Throws `malformed`. */
export const storedEntity = <K extends EntityKind>(
  source: EntitySource,
  kind: K,
  address: Address,
): EntityRecord<K> | undefined => {
  const id = source.addresses.find(address)
  const row = id === undefined ? undefined : entityAt(source, kind, id)
  return row && { address, ...row }
}

/** The kinds that an account is stored as. */
export const storedKinds = ({ tables, addresses }: EntitySource, address: Address): EntityKind[] => {
  const id = addresses.find(address)
  return id === undefined ? [] : kindsAt(tables, id)
}

/** A sale or an auction. */
export type SaleRecord = EntityRecord<'getgems_sale'> | EntityRecord<'getgems_auction'>

/** The sale or auction that owns an item (an interned address) and names it. Throws `malformed`. */
export const saleHolding = (source: EntitySource, item: number, owner: Address | null): SaleRecord | undefined => {
  const { tables, addresses } = source
  const id = owner ? addresses.find(owner) : undefined
  if (!owner || id === undefined) return undefined
  const kinds = kindsAt(tables, id)
  const sale = kinds.includes('getgems_sale') ? entityAt(source, 'getgems_sale', id) : undefined
  if (sale && addresses.find(sale.entity.nft_address) === item) return { address: owner, ...sale }
  const auction = kinds.includes('getgems_auction') ? entityAt(source, 'getgems_auction', id) : undefined
  return auction && addresses.find(auction.entity.nft_address) === item ? { address: owner, ...auction } : undefined
}
