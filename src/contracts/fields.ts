import type { Address } from '../ton/address.ts'
import { Cell } from '../ton/cell.ts'
import type { BitString } from '../ton/slice.ts'
import { type Fields, isBits, isFields, type Value } from './tlb/values.ts'

/**
 * Readers of what `decodeBody` gives: a field's value as the type that the scheme says it has; undefined where it has another
 * one or is missing.
 */

/** A record within a record. */
export const recordIn = (fields: Fields | undefined, name: string): Fields | undefined => {
  const value = fields?.[name]
  return isFields(value) ? value : undefined
}

/** uintN, intN, (## n), VarUInteger, Coins and Grams. */
export const integerOf = (value: Value): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (!isFields(value)) return undefined
  return integerOf(value.value ?? value.amount)
}

/** As `integerOf`, of a field. */
export const integerIn = (fields: Fields | undefined, name: string): bigint | undefined => integerOf(fields?.[name])

const bytesOf = ({ bytes, length }: BitString): Buffer => bytes.subarray(0, length >> 3)

/** The account of a MsgAddress; null for one that names none, undefined for what is no address. */
export const accountOfValue = (value: Value): Address | null | undefined => {
  if (!isFields(value)) return undefined
  if (value['@type'] === 'addr_none' || value['@type'] === 'addr_extern') return null
  const { workchain_id, address } = value
  if (typeof workchain_id !== 'bigint' || !isBits(address)) return undefined
  return { workchain: Number(workchain_id), hash: bytesOf(address) }
}

/** As `accountOfValue`, of a field; null also where it is missing. */
export const accountIn = (fields: Fields | undefined, name: string): Address | null =>
  accountOfValue(fields?.[name]) ?? null

/** A cell that is kept as it is. */
export const cellIn = (fields: Fields | undefined, name: string): Cell | undefined => {
  const value = fields?.[name]
  return value instanceof Cell ? value : undefined
}

/** bitsN and Bytes of whole bytes. */
export const bytesIn = (fields: Fields | undefined, name: string): Buffer | undefined => {
  const value = fields?.[name]
  return isBits(value) ? bytesOf(value) : undefined
}

/** Bool. */
export const flagIn = (fields: Fields | undefined, name: string): boolean | undefined => {
  const value = fields?.[name]
  return typeof value === 'boolean' ? value : undefined
}

/** What a Maybe, an Either or a CellRef holds; undefined for nothing. */
export const inner = (value: Value): Value => {
  if (!isFields(value)) return value
  switch (value['@type']) {
    case 'nothing_from_maybe':
      return undefined
    case 'something_from_maybe':
    case 'first_from_either':
    case 'second_from_either':
      return inner(value.value)
    default:
      return 'cell_reference' in value ? value.cell_reference : value
  }
}

/** The integer of a field. Throws where there is none: the body is not what its opcode says. */
export const needInteger = (fields: Fields | undefined, name: string): bigint => {
  const value = integerIn(fields, name)
  if (value === undefined) throw new TypeError(`no integer ${name}`)
  return value
}
