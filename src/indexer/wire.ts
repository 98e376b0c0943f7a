import { joinedBytes } from '../common/joined-bytes.ts'
import type { Address } from '../ton/address.ts'

/** Flat streams of numbers and bytes: what crosses to another thread without a copy, as its arrays are transferred. */
export interface WireStreams {
  words: Uint32Array<ArrayBuffer>
  longs: BigUint64Array<ArrayBuffer>
  bytes: Uint8Array<ArrayBuffer>
  /** Each address once: workchain and account id. */
  addresses: Uint8Array<ArrayBuffer>
}

/** Writes streams. Everything is read again in the order in which it was written. */
export interface WireWriter {
  /** A uint32. */
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

/** Bytes that a WireReader gives are views of the stream; equal addresses are the same object. */
export interface WireReader {
  word(): number
  long(): bigint
  big(): bigint
  bytes(length: number): Buffer
  hash(): Buffer
  address(): Address
}

const HASH_BYTES = 32
const ADDRESS_BYTES = 4 + HASH_BYTES
const LONGS_OF_BIG = 4

const writeAddresses = (addresses: readonly Address[]): Uint8Array<ArrayBuffer> => {
  const all = Buffer.from(new ArrayBuffer(addresses.length * ADDRESS_BYTES))
  for (const [i, { workchain, hash }] of addresses.entries()) {
    all.writeInt32BE(workchain, i * ADDRESS_BYTES)
    all.set(hash, i * ADDRESS_BYTES + 4)
  }
  return all
}

const readAddresses = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Address[] => {
  const all = Buffer.from(buffer, byteOffset, length)
  return Array.from({ length: length / ADDRESS_BYTES }, (_, i) => {
    const at = i * ADDRESS_BYTES
    return { workchain: all.readInt32BE(at), hash: Buffer.from(buffer, byteOffset + at + 4, HASH_BYTES) }
  })
}

export const wireWriter = (): WireWriter => {
  const words: number[] = []
  const longs: bigint[] = []
  const parts: Uint8Array[] = []
  const addresses: Address[] = []
  const places = new Map<string, number>()
  return {
    word: (value) => void words.push(value),
    long: (value) => void longs.push(value),
    big: (value) => {
      for (let i = 0; i < LONGS_OF_BIG; i++) longs.push(BigInt.asUintN(64, value >> BigInt(64 * i)))
    },
    bytes: (value) => void parts.push(value),
    address: (address) => {
      const name = address.hash.toString('latin1') + address.workchain
      const known = places.get(name)
      words.push(known ?? addresses.length)
      if (known !== undefined) return
      places.set(name, addresses.length)
      addresses.push(address)
    },
    end: () => ({
      words: Uint32Array.from(words),
      longs: BigUint64Array.from(longs),
      bytes: joinedBytes(parts),
      addresses: writeAddresses(addresses),
    }),
  }
}

/** Reads what a WireWriter wrote. */
export const wireReader = (streams: WireStreams): WireReader => {
  const { words, longs } = streams
  const { buffer, byteOffset } = streams.bytes
  const addresses = readAddresses(streams.addresses)
  let [word, long, at] = [0, 0, byteOffset]
  const take = (length: number): Buffer => {
    at += length
    return Buffer.from(buffer, at - length, length)
  }
  return {
    word: () => words[word++]!,
    long: () => longs[long++]!,
    big: () => {
      let value = 0n
      for (let i = 0; i < LONGS_OF_BIG; i++) value |= longs[long++]! << BigInt(64 * i)
      return value
    },
    bytes: take,
    hash: () => take(HASH_BYTES),
    address: () => addresses[words[word++]!]!,
  }
}
