import fc from 'fast-check'
import { type Address, friendlyAddress, rawAddress, rawAddressUpper } from '../../src/ton/address.ts'

/** The ways in which the values of API v3 may be written (contracts/v3.md 2.2). */

export const hashForms = (hash: Buffer): fc.Arbitrary<string> =>
  fc.constantFrom(
    hash.toString('hex'),
    hash.toString('hex').toUpperCase(),
    `0x${hash.toString('hex')}`,
    hash.toString('base64'),
    hash.toString('base64').replaceAll('+', ' '),
    `${hash.toString('base64url')}=`,
  )

export const addressForms = (address: Address): fc.Arbitrary<string> =>
  fc.constantFrom(
    rawAddress(address),
    rawAddressUpper(address),
    friendlyAddress(address),
    friendlyAddress(address, { bounceable: false, testOnly: true }, 'base64'),
    friendlyAddress(address, { bounceable: false, testOnly: false }, 'base64').replaceAll('+', ' '),
  )

export const shardForms = (shard: bigint): fc.Arbitrary<string> => {
  const hex = BigInt.asUintN(64, shard).toString(16)
  return fc.constantFrom(hex, hex.toUpperCase(), `0x${hex}`, ...(shard < 0n ? [String(shard)] : []))
}

export const opcodeForms = (opcode: number): fc.Arbitrary<string> => {
  const hex = opcode.toString(16)
  const signed = String(opcode | 0)
  return fc.constantFrom(hex, `0x${hex}`, `0X${hex.toUpperCase()}`, ...(signed.startsWith('-') ? [signed] : []))
}

export const utimeForms = (utime: number): fc.Arbitrary<string> => fc.constantFrom(String(utime), `${utime}.7`)

/** A list, repeated (with brackets or without) or parted by commas. */
export const listForms = (name: string, values: readonly string[]): fc.Arbitrary<string[][]> =>
  fc.constantFrom(
    values.map((value) => [name, value]),
    values.map((value) => [`${name}[]`, value]),
    values.length === 0 ? [] : [[name, values.join(',')]],
  )
