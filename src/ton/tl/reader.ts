import { TonlithError } from '../../common/errors.ts'

/** A read position in TL bytes. */
export interface Reader {
  readonly bytes: Buffer
  at: number
}

const BOOL_TRUE = 0x997275b5 | 0
const BOOL_FALSE = 0xbc799737 | 0

/** Reader over `bytes`; what it reads are views on them, not copies. */
export const readerOf = (bytes: Buffer): Reader => ({ bytes, at: 0 })

/**
 * The error of a TL parser, `malformed`, in the words of the node's own parser (a liteserver answers with them and
 * code 0): the text and the position at which it stopped.
 */
export const tlError = (text: string, at: number): TonlithError => new TonlithError('malformed', `${text} at ${at}`)

const need = (r: Reader, length: number): void => {
  if (r.bytes.length - r.at < length) throw tlError('Not enough data to read', r.at)
}

/** TL `int`: signed 32 bits. */
export const readInt = (r: Reader): number => {
  need(r, 4)
  const value = r.bytes.readInt32LE(r.at)
  r.at += 4
  return value
}

/** A constructor id: unsigned 32 bits. */
export const readId = (r: Reader): number => readInt(r) >>> 0

/** TL `#`: 31 bits, never negative. */
export const readNat = (r: Reader): number => {
  const value = readInt(r)
  if (value < 0) throw tlError("Variable of type # can't be negative", r.at)
  return value
}

/** TL `long`: signed 64 bits. */
export const readLong = (r: Reader): bigint => {
  need(r, 8)
  const value = r.bytes.readBigInt64LE(r.at)
  r.at += 8
  return value
}

const readFixed = (r: Reader, length: number): Buffer => {
  need(r, length)
  const value = r.bytes.subarray(r.at, r.at + length)
  r.at += length
  return value
}

export const readInt128 = (r: Reader): Buffer => readFixed(r, 16)
export const readInt256 = (r: Reader): Buffer => readFixed(r, 32)

/** TL `bytes`: length in one byte, in three after 254, or in seven after 255; padded to a multiple of four. */
export const readBytes = (r: Reader): Buffer => {
  need(r, 4)
  const { bytes } = r
  const start = r.at
  const first = bytes[start]!
  let head = 4
  let length = first
  if (first < 254) head = 1
  else if (first === 254) length = bytes.readUIntLE(start + 1, 3)
  else {
    r.at += 4
    need(r, 4)
    length = bytes.readUIntLE(start + 1, 3) + bytes.readUInt32LE(start + 4) * 0x1000000
    head = 8
  }
  r.at = start + (head === 8 ? 8 : 4)
  const rest = head === 1 ? length - (length & 3) : Math.ceil(length / 4) * 4
  need(r, rest)
  r.at += rest
  return bytes.subarray(start + head, start + head + length)
}

/** TL `string`: bytes as UTF-8; what is not UTF-8 becomes U+FFFD. */
export const readString = (r: Reader): string => readBytes(r).toString('utf8')

/** TL `Bool`: boolTrue or boolFalse. */
export const readBool = (r: Reader): boolean => {
  const id = readInt(r)
  if (id !== BOOL_TRUE && id !== BOOL_FALSE) throw tlError('Bool expected', r.at)
  return id === BOOL_TRUE
}

/** The count of a vector; every element has at least one byte, so a count cannot ask for more memory than it brings. */
export const readCount = (r: Reader): number => {
  const count = readInt(r) >>> 0
  if (r.bytes.length - r.at < count) throw tlError('Wrong vector length', r.at)
  return count
}

/** Refuses bytes that are left over. */
export const readEnd = (r: Reader): void => {
  if (r.at !== r.bytes.length) throw tlError('Too much data to fetch', r.at)
}
