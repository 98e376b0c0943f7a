import { TonlithError } from '../../common/errors.ts'

/** A growing buffer of TL bytes; the first `at` bytes of `buffer` are written. */
export interface Writer {
  buffer: Buffer
  at: number
}

const BOOL_TRUE = 0x997275b5
const BOOL_FALSE = 0xbc799737

const SHARED_BYTES = 1 << 14
const shared = Buffer.alloc(SHARED_BYTES)

/** A writer from its start on. What is short is written into one buffer that all of them share: one at a time, then. */
export const writerOf = (): Writer => ({ buffer: shared, at: 0 })

/** The written bytes, which are nobody else's. */
export const written = (w: Writer): Buffer => {
  if (w.buffer !== shared) return w.buffer.subarray(0, w.at)
  const bytes = Buffer.allocUnsafe(w.at)
  shared.copy(bytes, 0, 0, w.at)
  return bytes
}

const invalid = (type: string, value: unknown): TonlithError =>
  new TonlithError('invalid', `${String(value)} is no TL ${type}`)

const grow = (w: Writer, length: number): void => {
  if (w.buffer.length - w.at >= length) return
  const bigger = Buffer.allocUnsafe(Math.max(w.buffer.length * 2, w.at + length))
  w.buffer.copy(bigger, 0, 0, w.at)
  w.buffer = bigger
}

/** A constructor id, unsigned 32 bits. */
export const writeId = (w: Writer, id: number): void => {
  grow(w, 4)
  w.at = w.buffer.writeUInt32LE(id, w.at)
}

/** TL `int`. Throws `invalid` outside of the signed 32 bits. */
export const writeInt = (w: Writer, value: number): void => {
  if ((value | 0) !== value) throw invalid('int', value)
  grow(w, 4)
  w.at = w.buffer.writeInt32LE(value, w.at)
}

/** TL `#`: not negative. */
export const writeNat = (w: Writer, value: number): void => {
  if (value < 0) throw invalid('#', value)
  writeInt(w, value)
}

/** TL `long`. Throws `invalid` outside of the signed 64 bits. */
export const writeLong = (w: Writer, value: bigint): void => {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) throw invalid('long', value)
  grow(w, 8)
  w.at = w.buffer.writeBigInt64LE(value, w.at)
}

const writeFixed = (w: Writer, value: Uint8Array, length: number): void => {
  if (value?.length !== length) throw invalid(`int${length * 8}`, `a value of ${value?.length} bytes`)
  grow(w, length)
  w.buffer.set(value, w.at)
  w.at += length
}

export const writeInt128 = (w: Writer, value: Uint8Array): void => writeFixed(w, value, 16)
export const writeInt256 = (w: Writer, value: Uint8Array): void => writeFixed(w, value, 32)

/** TL `bytes` in its shortest form. */
export const writeBytes = (w: Writer, value: Uint8Array): void => {
  const { length } = value
  grow(w, length + 12)
  if (length < 254) w.buffer[w.at++] = length
  else if (length < 0x1000000) {
    w.buffer[w.at] = 254
    w.at = w.buffer.writeUIntLE(length, w.at + 1, 3)
  } else {
    w.buffer[w.at] = 255
    w.at = w.buffer.writeUIntLE(length, w.at + 1, 6)
    w.buffer[w.at++] = 0
  }
  w.buffer.set(value, w.at)
  w.at += length
  const head = length < 254 ? 1 : 0
  for (let padding = -(length + head) & 3; padding > 0; padding--) w.buffer[w.at++] = 0
}

/** TL `string`: UTF-8 bytes. */
export const writeString = (w: Writer, value: string): void => writeBytes(w, Buffer.from(value, 'utf8'))

/** TL `Bool`. */
export const writeBool = (w: Writer, value: boolean): void => writeId(w, value ? BOOL_TRUE : BOOL_FALSE)
