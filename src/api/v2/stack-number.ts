import type { Json } from '../../common/lossless-json.ts'

const MAX_DIGITS = 100
const INTEGER = /^([+-]?)(0x[0-9a-fA-F]+|[0-9]+)$/
const MIN_INT = -(1n << 256n)
const MAX_INT = (1n << 256n) - 1n

/**
 * A TVM integer as text: decimal or `0x` hex, with a sign in front of either. Undefined for all else and beyond 257 bits.
 */
export const parseStackNumber = (text: string): bigint | undefined => {
  const match = text.length > MAX_DIGITS ? null : INTEGER.exec(text)
  if (!match) return undefined
  const value = match[1] === '-' ? -BigInt(match[2]!) : BigInt(match[2]!)
  return value >= MIN_INT && value <= MAX_INT ? value : undefined
}

/** A TVM integer as JSON number, read without loss; undefined for all that is no integer, or not exactly given. */
export const jsonStackNumber = (value: Json): bigint | undefined => {
  if (typeof value === 'bigint') return value >= MIN_INT && value <= MAX_INT ? value : undefined
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

/** `0x` or `-0x` and lower-case hex digits without leading zeros. */
export const hexNumber = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
