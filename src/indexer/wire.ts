import type { Address } from '../ton/address.ts'

/** Flat streams of numbers and bytes: what crosses to another thread without a copy, as its arrays are transferred. */
export interface WireStreams {
  words: Uint32Array<ArrayBuffer>
  longs: BigUint64Array<ArrayBuffer>
  bytes: Uint8Array<ArrayBuffer>
}

/** Writes streams. Everything is read again in the order in which it was written. */
export interface WireWriter {
  /** A uint32, or an int32 that is read as one. */
  word(value: number): void
  /** A number from 0 to 2^64. */
  long(value: bigint): void
  /** A number from 0 to 2^256. */
  big(value: bigint): void
  /** Bytes of which the reader knows how many they are. */
  bytes(value: Uint8Array): void
  address(value: Address): void
  end(): WireStreams
}

/** Bytes that a WireReader gives are views of the stream. */
export interface WireReader {
  word(): number
  int(): number
  long(): bigint
  big(): bigint
  bytes(length: number): Buffer
  hash(): Buffer
  address(): Address
}

const HASH_BYTES = 32
const LONGS_OF_BIG = 4

export const wireWriter = (): WireWriter => {
  const words: number[] = []
  const longs: bigint[] = []
  const parts: Uint8Array[] = []
  let length = 0
  const bytes = (value: Uint8Array): void => {
    parts.push(value)
    length += value.length
  }
  return {
    word: (value) => void words.push(value),
    long: (value) => void longs.push(value),
    big: (value) => {
      for (let i = 0; i < LONGS_OF_BIG; i++) longs.push(BigInt.asUintN(64, value >> BigInt(64 * i)))
    },
    bytes,
    address: ({ workchain, hash }) => {
      words.push(workchain)
      bytes(hash)
    },
    end: () => {
      const joined = new Uint8Array(length)
      let at = 0
      for (const part of parts) {
        joined.set(part, at)
        at += part.length
      }
      return { words: Uint32Array.from(words), longs: BigUint64Array.from(longs), bytes: joined }
    },
  }
}

/** Reads what a WireWriter wrote. */
export const wireReader = (streams: WireStreams): WireReader => {
  const { words, longs } = streams
  const { buffer, byteOffset } = streams.bytes
  let [word, long, at] = [0, 0, byteOffset]
  const take = (length: number): Buffer => {
    at += length
    return Buffer.from(buffer, at - length, length)
  }
  const hash = (): Buffer => take(HASH_BYTES)
  return {
    word: () => words[word++]!,
    int: () => words[word++]! | 0,
    long: () => longs[long++]!,
    big: () => {
      let value = 0n
      for (let i = 0; i < LONGS_OF_BIG; i++) value |= longs[long++]! << BigInt(64 * i)
      return value
    },
    bytes: take,
    hash,
    address: () => ({ workchain: words[word++]! | 0, hash: hash() }),
  }
}
