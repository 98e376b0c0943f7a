import { TonlithError } from '../common/errors.ts'
import type { NftItemEntity } from '../model/entities.ts'
import type { TokenContent } from '../model/token-content.ts'
import type { Address } from '../ton/address.ts'
import type { AddressIds } from './addresses.ts'
import type { RowReader, RowWriter } from './row-bytes.ts'

/** How the values of one kind stand in a row. Addresses are interned. */
export interface Field<T> {
  write(row: RowWriter, value: T, addresses: Pick<AddressIds, 'intern'>): void
  /** Throws `malformed` for what `write` did not write. */
  read(row: RowReader, addresses: Pick<AddressIds, 'of'>): T
}

const damaged = (): TonlithError => new TonlithError('malformed', 'index: a row of entities is damaged')

const readSize = (row: RowReader): number => {
  const size = row.uint()
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  return Number(size)
}

/** Each takes at least a byte, so that a count that is too large ends with the row. */
const readMany = <T>(row: RowReader, read: () => T): T[] => {
  const many: T[] = []
  for (let left = readSize(row); left > 0; left--) many.push(read())
  return many
}

const writeText = (row: RowWriter, text: string): void => {
  const bytes = Buffer.from(text, 'utf8')
  row.uint(BigInt(bytes.length)).bytes(bytes)
}

const readText = (row: RowReader): string => row.bytes(readSize(row)).toString('utf8')

/** A signed number of any size up to some 2,000 bits: 0, -1, 1, -2, … as 0, 1, 2, 3, … */
export const int: Field<bigint> = {
  write: (row, value) => row.uint(value < 0n ? -2n * value - 1n : 2n * value),
  read: (row) => {
    const value = row.uint()
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n
  },
}

/** A safe integer. */
export const number: Field<number> = {
  write: (row, value, addresses) => int.write(row, BigInt(value), addresses),
  read: (row, addresses) => {
    const value = Number(int.read(row, addresses))
    if (!Number.isSafeInteger(value)) throw damaged()
    return value
  },
}

export const flag: Field<boolean> = {
  write: (row, value) => row.u8(value ? 1 : 0),
  read: (row) => {
    const value = row.u8()
    if (value > 1) throw damaged()
    return value === 1
  },
}

export const text: Field<string> = { write: writeText, read: readText }

export const bytes: Field<Buffer> = {
  write: (row, value) => row.uint(BigInt(value.length)).bytes(value),
  read: (row) => row.bytes(readSize(row)),
}

export const address: Field<Address> = {
  write: (row, value, addresses) => row.u32(addresses.intern(value)),
  read: (row, addresses) => addresses.of(row.u32()),
}

/** Id 0 where there is none. */
export const maybeAddress: Field<Address | null> = {
  write: (row, value, addresses) => row.u32(addresses.intern(value)),
  read: (row, addresses) => {
    const id = row.u32()
    return id === 0 ? null : addresses.of(id)
  },
}

export const addressList: Field<Address[]> = {
  write: (row, value, addresses) => {
    row.uint(BigInt(value.length))
    for (const one of value) address.write(row, one, addresses)
  },
  read: (row, addresses) => readMany(row, () => address.read(row, addresses)),
}

/** A value that may be missing, with a byte in front that says so. */
export const maybe = <T>(field: Field<T>): Field<T | null> => ({
  write: (row, value, addresses) => {
    flag.write(row, value !== null, addresses)
    if (value !== null) field.write(row, value, addresses)
  },
  read: (row, addresses) => (flag.read(row, addresses) ? field.read(row, addresses) : null),
})

const ONCHAIN = 0
const OFFCHAIN = 1
const DOMAIN = 2

/** Token content (TEP-64), or the name of a DNS item. */
export const itemContent: Field<NftItemEntity['content']> = {
  write: (row, content) => {
    if (content._ === 'domain') return writeText(row.u8(DOMAIN), content.domain)
    if (content._ === 'offchain') return writeText(row.u8(OFFCHAIN), content.uri)
    const attributes = Object.entries(content.attributes)
    row.u8(ONCHAIN).uint(BigInt(attributes.length))
    for (const part of attributes.flat()) writeText(row, part)
  },
  read: (row) => {
    const tag = row.u8()
    if (tag === DOMAIN) return { _: 'domain', domain: readText(row) }
    if (tag === OFFCHAIN) return { _: 'offchain', uri: readText(row) }
    if (tag !== ONCHAIN) throw damaged()
    return { _: 'onchain', attributes: Object.fromEntries(readMany(row, () => [readText(row), readText(row)])) }
  },
}

/** Token content (TEP-64). */
export const tokenContent: Field<TokenContent> = {
  write: itemContent.write,
  read: (row, addresses) => {
    const content = itemContent.read(row, addresses)
    if (content._ === 'domain') throw damaged()
    return content
  },
}
