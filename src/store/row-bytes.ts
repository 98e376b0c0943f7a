import { TonlithError } from '../common/errors.ts'
import { copyBytes, sortableUint, writeU64 } from './keys.ts'

/** Writes the parts of a row one after another. */
export interface RowWriter {
  u8(value: number): RowWriter
  u16(value: number): RowWriter
  u32(value: number): RowWriter
  i32(value: number): RowWriter
  u64(value: bigint): RowWriter
  /** A number from 0 to 2^2040 as its length and its bytes. Throws `internal` for another. */
  uint(value: bigint): RowWriter
  /** A uint32 in as few bytes as it needs, 7 bits in each. */
  varint(value: number): RowWriter
  /** The first `length` bytes of them; all, where that is not given. */
  bytes(value: Uint8Array, length?: number): RowWriter
  end(): Buffer
}

/** Reads the parts of a row in the order in which they were written. What is given back is a copy. */
export interface RowReader {
  u8(): number
  u16(): number
  u32(): number
  i32(): number
  u64(): bigint
  uint(): bigint
  varint(): number
  bytes(length: number): Buffer
  skip(length: number): void
  /** All that was not read yet. */
  rest(): Buffer
}

const INITIAL_SIZE = 256
const FEW_BYTES = 64
/** Bytes of the largest whole number that is read at once. */
const NUMBER_BYTES = 6

/**
 * An empty row that grows as it is written.
 * @param room where it is written as far as it fits: whoever gives the same to the next row is done with this one. A row
 * in a buffer of its own costs several times as much, which LMDB asks for where it lies
 */
export const rowWriter = (room = Buffer.allocUnsafe(INITIAL_SIZE)): RowWriter => {
  let buffer = room
  let length = 0
  const grow = (size: number): number => {
    if (length + size > buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + size))
      buffer.copy(grown, 0, 0, length)
      buffer = grown
    }
    length += size
    return length - size
  }
  const writer: RowWriter = {
    u8: (value) => {
      const at = grow(1)
      buffer.writeUInt8(value, at)
      return writer
    },
    u16: (value) => {
      const at = grow(2)
      buffer.writeUInt16BE(value, at)
      return writer
    },
    u32: (value) => {
      const at = grow(4)
      buffer.writeUInt32BE(value, at)
      return writer
    },
    i32: (value) => {
      const at = grow(4)
      buffer.writeInt32BE(value, at)
      return writer
    },
    u64: (value) => {
      const at = grow(8)
      writeU64(buffer, value, at)
      return writer
    },
    uint: (value) => writer.bytes(sortableUint(value)),
    varint: (value) => {
      let left = value
      for (; left > 0x7f; left >>>= 7) writer.u8((left & 0x7f) | 0x80)
      return writer.u8(left)
    },
    bytes: (value, size = value.length) => {
      const at = grow(size)
      if (size <= FEW_BYTES) copyBytes(value, buffer, at, size)
      else buffer.set(size < value.length ? value.subarray(0, size) : value, at)
      return writer
    },
    end: () => buffer.subarray(0, length),
  }
  return writer
}

/** The number of these `size` bytes at `at`, which must be there. */
export const uintAt = (bytes: Buffer, at: number, size: number): bigint => {
  if (size === 0) return 0n
  return size <= NUMBER_BYTES ? BigInt(bytes.readUIntBE(at, size)) : BigInt(`0x${bytes.toString('hex', at, at + size)}`)
}

/** The error for a row that is shorter than what is read of it. */
export const cutShort = (what: string): TonlithError =>
  new TonlithError('malformed', `index: a row of ${what} is cut short`)

/**
 * Reads a row with `read`.
 * @param what names the table in the error
 * @throws TonlithError `malformed` when the row is shorter than what is read
 */
export const readRow = <T>(what: string, bytes: Buffer, read: (row: RowReader) => T): T => {
  let at = 0
  const take = (size: number): number => {
    if (at + size > bytes.length) throw cutShort(what)
    at += size
    return at - size
  }
  const copy = (size: number): Buffer => {
    const from = take(size)
    const bytesRead = Buffer.allocUnsafe(size)
    bytes.copy(bytesRead, 0, from, from + size)
    return bytesRead
  }
  return read({
    u8: () => bytes.readUInt8(take(1)),
    u16: () => bytes.readUInt16BE(take(2)),
    u32: () => bytes.readUInt32BE(take(4)),
    i32: () => bytes.readInt32BE(take(4)),
    u64: () => bytes.readBigUInt64BE(take(8)),
    uint: () => {
      const size = bytes.readUInt8(take(1))
      const from = take(size)
      return uintAt(bytes, from, size)
    },
    varint: () => {
      let value = 0
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = bytes.readUInt8(take(1))
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) break
      }
      return value >>> 0
    },
    bytes: copy,
    skip: take,
    rest: () => copy(bytes.length - at),
  })
}
