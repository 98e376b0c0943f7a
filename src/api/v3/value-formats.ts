import { type Address, tryParseAddress } from '../../ton/address.ts'

/**
 * How the values of a query are written (contracts/v3.md 2.2). Each reader gives undefined for what is not of its form.
 * A blank stands for a `+` that was sent unescaped through something that took it for one.
 */

const HEX_HASH = /^(?:0x)?[0-9a-fA-F]{64}$/
const STANDARD_HASH = /^[A-Za-z0-9+/]{43}=$/
const URL_SAFE_HASH = /^[A-Za-z0-9_-]{43}=$/

const withPluses = (text: string): string => text.replaceAll(' ', '+')

/** 64 hex digits, with or without 0x, or 44 characters of padded base64 in either alphabet. */
export const readHash = (text: string): Buffer | undefined => {
  if (HEX_HASH.test(text)) return Buffer.from(text.slice(-64), 'hex')
  const given = withPluses(text)
  const alphabet = STANDARD_HASH.test(given) ? 'base64' : URL_SAFE_HASH.test(given) ? 'base64url' : undefined
  if (alphabet === undefined) return undefined
  const hash = Buffer.from(given, 'base64')
  return hash.toString(alphabet).slice(0, 43) === given.slice(0, 43) ? hash : undefined
}

const UNPADDED_HASH = /^[A-Za-z0-9_-]{43}$/

/** As readHash, and URL-safe base64 without its padding. */
export const readAnyHash = (text: string): Buffer | undefined => readHash(UNPADDED_HASH.test(text) ? `${text}=` : text)

/** The friendly form in either alphabet, or the raw form, with or without a sign. */
export const readAddress = (text: string): Address | undefined => {
  const given = withPluses(text)
  const parsed = tryParseAddress(given.startsWith('+') && given.includes(':') ? given.slice(1) : given)
  return parsed && { workchain: parsed.workchain, hash: Buffer.from(parsed.hash) }
}

/** As readAddress, or the word `null`, which names messages without such an address. */
export const readAddressOrNull = (text: string): Address | null | undefined =>
  text === 'null' ? null : readAddress(text)

const HEX_64 = /^(?:0[xX])?([0-9a-fA-F]{1,16})$/
const SIGNED = /^[+-]?[0-9]{1,20}$/

/** A shard: hex if it can be, else a signed decimal. Given as signed int64. */
export const readShard = (text: string): bigint | undefined => {
  const hex = HEX_64.exec(text)?.[1]
  if (hex !== undefined) return BigInt.asIntN(64, BigInt(`0x${hex}`))
  if (!SIGNED.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

const PREFIXED_HEX = /^0[xX]([0-9a-fA-F]{1,16})$/
const HEX = /^[0-9a-fA-F]{1,16}$/
const MAX_UINT32 = 0xffff_ffff
const MIN_INT32 = -0x8000_0000
const MAX_INT32 = 0x7fff_ffff

const readHex32 = (digits: string): number | undefined => {
  const value = Number.parseInt(digits, 16)
  return value <= MAX_UINT32 ? value : undefined
}

/** Hex of up to 32 bits, with 0x or without; only what cannot be that is a signed int32. Given as uint32. */
export const readOpcode = (text: string): number | undefined => {
  const prefixed = PREFIXED_HEX.exec(text)?.[1]
  if (prefixed !== undefined) return readHex32(prefixed)
  const hex = HEX.test(text) ? readHex32(text) : undefined
  if (hex !== undefined) return hex
  const decimal = readInt32(text)
  return decimal === undefined ? undefined : decimal >>> 0
}

const DECIMAL_FRACTION = /^[+]?([0-9]{1,10})(?:\.[0-9]*)?(?:[eE][+]?0)?$/

/** Seconds: a uint32; what follows a point is dropped. */
export const readUtime = (text: string): number | undefined => {
  const digits = DECIMAL_FRACTION.exec(text)?.[1]
  const value = digits === undefined ? undefined : Number(digits)
  return value !== undefined && value <= MAX_UINT32 ? value : undefined
}

const UNSIGNED = /^[+]?([0-9]{1,20})$/
const MAX_UINT64 = (1n << 64n) - 1n

/** A uint64 in decimal. */
export const readUint64 = (text: string): bigint | undefined => {
  const digits = UNSIGNED.exec(text)?.[1]
  const value = digits === undefined ? undefined : BigInt(digits)
  return value !== undefined && value <= MAX_UINT64 ? value : undefined
}

/** A signed int32 in decimal. */
export const readInt32 = (text: string): number | undefined => {
  if (!SIGNED.test(text)) return undefined
  const value = Number(text)
  return value >= MIN_INT32 && value <= MAX_INT32 ? value : undefined
}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on'])
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** Yes or no in the spellings of Go's ParseBool, and `on`. */
export const readBool = (text: string): boolean | undefined =>
  TRUE.has(text) ? true : FALSE.has(text) ? false : undefined

/** `asc`, `a`, `desc`, `d` in any case. */
export const readSort = (text: string): 'asc' | 'desc' | undefined => {
  const word = text.toLowerCase()
  if (word === 'asc' || word === 'a') return 'asc'
  return word === 'desc' || word === 'd' ? 'desc' : undefined
}
