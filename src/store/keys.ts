import { TonlithError } from '../common/errors.ts'
import { indexOfKey, seqnoOfKey, type TransactionKey, transactionKey } from '../model/trace-changes.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'

/**
 * Binary keys whose byte order is the order of their values: big-endian, signed numbers with the sign bit flipped.
 * A key is a row of such parts; the last part makes it unique.
 */

/** How many bytes of a hash stand in an index; the row that it leads to decides whether it is the right one. */
export const HASH_PREFIX = 8
export const TRANSACTION_KEY_SIZE = 7
export const MESSAGE_KEY_SIZE = 9
export const BLOCK_KEY_SIZE = 16
export const ADDRESS_KEY_SIZE = 36

const NOTHING = Buffer.alloc(0)
const SIGN_32 = 0x80000000
const SIGN_64 = 1n << 63n
/** The largest uint64. */
export const MAX_U64 = (1n << 64n) - 1n
/** Bytes of a number in sortableInt. */
const LONGEST_INT = 125
const SORTABLE_LIMIT = 1n << 2040n

const word = new DataView(new ArrayBuffer(8))
const wordBytes = new Uint8Array(word.buffer)

/** Copies few bytes, for which that is faster than a call of the runtime is. */
export const copyBytes = (source: Uint8Array, target: Uint8Array, at: number, length = source.length): void => {
  for (let i = 0; i < length; i++) target[at + i] = source[i]!
}

/** Writes a uint64, eight times as fast as Buffer does. */
export const writeU64 = (target: Uint8Array, value: bigint, at: number): void => {
  word.setBigUint64(0, value)
  copyBytes(wordBytes, target, at)
}

/** uint32, then `rest`. */
export const u32Key = (value: number, rest: Buffer = NOTHING): Buffer => {
  const key = Buffer.allocUnsafe(4 + rest.length)
  key.writeUInt32BE(value, 0)
  copyBytes(rest, key, 4)
  return key
}

/** One byte, then `rest`. */
export const u8Key = (value: number, rest: Buffer): Buffer => {
  const key = Buffer.allocUnsafe(1 + rest.length)
  key[0] = value
  copyBytes(rest, key, 1)
  return key
}

/** uint64, then `rest`. */
export const u64Key = (value: bigint, rest: Buffer = NOTHING): Buffer => {
  const key = Buffer.allocUnsafe(8 + rest.length)
  writeU64(key, value, 0)
  copyBytes(rest, key, 8)
  return key
}

/** uint32, uint64, then `rest`. */
export const u32u64Key = (first: number, second: bigint, rest: Buffer = NOTHING): Buffer => {
  const key = Buffer.allocUnsafe(12 + rest.length)
  key.writeUInt32BE(first, 0)
  writeU64(key, second, 4)
  copyBytes(rest, key, 12)
  return key
}

/** The first HASH_PREFIX bytes of a hash, then `rest`. */
export const hashKey = (hash: Buffer, rest: Buffer = NOTHING): Buffer => {
  const key = Buffer.allocUnsafe(HASH_PREFIX + rest.length)
  copyBytes(hash, key, 0, HASH_PREFIX)
  copyBytes(rest, key, HASH_PREFIX)
  return key
}

/** The first HASH_PREFIX bytes of a hash, uint64, then `rest`. */
export const hashU64Key = (hash: Buffer, second: bigint, rest: Buffer = NOTHING): Buffer => {
  const key = Buffer.allocUnsafe(HASH_PREFIX + 8 + rest.length)
  copyBytes(hash, key, 0, HASH_PREFIX)
  writeU64(key, second, HASH_PREFIX)
  copyBytes(rest, key, HASH_PREFIX + 8)
  return key
}

/** Workchain, shard and seqno of a block, 16 bytes; shards in the order of signed int64. */
export const blockKey = (id: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): Buffer => {
  const key = Buffer.allocUnsafe(BLOCK_KEY_SIZE)
  key.set(shardPrefix(id.workchain, id.shard), 0)
  key.writeUInt32BE(id.seqno, 12)
  return key
}

/** The part of a block's key that all blocks of a shard share. */
export const shardPrefix = (workchain: number, shard: bigint): Buffer => {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE((workchain ^ SIGN_32) >>> 0, 0)
  key.writeBigUInt64BE(BigInt.asUintN(64, shard) ^ SIGN_64, 4)
  return key
}

/** Reads what blockKey wrote at `at`. */
export const readBlockKey = (key: Buffer, at = 0): { workchain: number; shard: bigint; seqno: number } => ({
  workchain: key.readInt32BE(at) ^ SIGN_32,
  shard: BigInt.asIntN(64, key.readBigUInt64BE(at + 4) ^ SIGN_64),
  seqno: key.readUInt32BE(at + 12),
})

/** The 7 bytes of a transaction's place: mc_seqno uint32, index uint24. */
export const txKey = (key: TransactionKey): Buffer => {
  const bytes = Buffer.allocUnsafe(TRANSACTION_KEY_SIZE)
  const [seqno, index] = [seqnoOfKey(key), indexOfKey(key)]
  bytes[0] = seqno >>> 24
  bytes[1] = seqno >>> 16
  bytes[2] = seqno >>> 8
  bytes[3] = seqno
  bytes[4] = index >>> 16
  bytes[5] = index >>> 8
  bytes[6] = index
  return bytes
}

/** Reads what txKey wrote at `at`. */
export const readTxKey = (key: Buffer, at = 0): TransactionKey =>
  transactionKey(
    ((key[at]! << 24) | (key[at + 1]! << 16) | (key[at + 2]! << 8) | key[at + 3]!) >>> 0,
    (key[at + 4]! << 16) | (key[at + 5]! << 8) | key[at + 6]!,
  )

/** The transaction's key (as txKey writes it), then uint16: 0 is its in_msg, 1 and up its out_msgs. */
export const messageKey = (transaction: Buffer, n: number): Buffer => {
  const key = Buffer.allocUnsafe(MESSAGE_KEY_SIZE)
  copyBytes(transaction, key, 0)
  key.writeUInt16BE(n, TRANSACTION_KEY_SIZE)
  return key
}

/** Reads what messageKey wrote at `at`. */
export const readMessageKey = (key: Buffer, at = 0): { transaction: TransactionKey; n: number } => ({
  transaction: readTxKey(key, at),
  n: key.readUInt16BE(at + TRANSACTION_KEY_SIZE),
})

/** A trace's root and one of its transactions, as txKey writes them. */
export const memberKey = (root: TransactionKey, transaction: TransactionKey): Buffer =>
  Buffer.concat([txKey(root), txKey(transaction)])

/** Workchain and account id. */
export const addressKey = (address: Address): Buffer => {
  const key = Buffer.allocUnsafe(ADDRESS_KEY_SIZE)
  key.writeUInt32BE((address.workchain ^ SIGN_32) >>> 0, 0)
  copyBytes(address.hash, key, 4, 32)
  return key
}

/** Reads what addressKey wrote. The account id is copied. */
export const readAddressKey = (key: Buffer): Address => ({
  workchain: key.readInt32BE(0) ^ SIGN_32,
  hash: Buffer.from(key.subarray(4, ADDRESS_KEY_SIZE)),
})

/**
 * Balance (below 2^128) descending, then workchain and the first bytes of the account id ascending, then the address id.
 * The balance is its length in bytes and these bytes, all inverted.
 */
export const balanceKey = (balance: bigint, address: Address, id: number): Buffer => {
  const bytes = sortableUint(balance)
  const key = Buffer.allocUnsafe(bytes.length + 4 + HASH_PREFIX + 4)
  for (let i = 0; i < bytes.length; i++) key[i] = ~bytes[i]! & 0xff
  key.set(addressKey(address).subarray(0, 4 + HASH_PREFIX), bytes.length)
  key.writeUInt32BE(id, key.length - 4)
  return key
}

/** Balance and address id out of what balanceKey wrote. */
export const readBalanceKey = (key: Buffer): { balance: bigint; id: number } => {
  const length = ~key[0]! & 0xff
  let balance = 0n
  for (let i = 1; i <= length; i++) balance = (balance << 8n) | BigInt(~key[i]! & 0xff)
  return { balance, id: key.readUInt32BE(key.length - 4) }
}

/**
 * A number from 0 to 2^2040 as its length in bytes and these bytes: shorter for small ones, in the order of the values.
 * Throws `internal` for another.
 */
export const sortableUint = (value: bigint): Buffer => {
  if (value < 0n || value >= SORTABLE_LIMIT) throw new TonlithError('internal', 'a number does not fit into a row')
  if (value > MAX_U64) {
    const hex = value.toString(16)
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
    return Buffer.concat([Buffer.of(bytes.length), bytes])
  }
  word.setBigUint64(0, value)
  let zeros = 0
  while (zeros < 8 && wordBytes[zeros] === 0) zeros++
  const key = Buffer.allocUnsafe(9 - zeros)
  key[0] = 8 - zeros
  for (let i = zeros; i < 8; i++) key[1 + i - zeros] = wordBytes[i]!
  return key
}

const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => ~byte & 0xff))

/**
 * A number from -2^1000 to 2^1000 in the order of the values; none is the beginning of another. From 0 on: 128 and its
 * length in bytes, these bytes; below 0 the same of what is missing to -1, all bits inverted.
 * Throws `internal` for another.
 */
export const sortableInt = (value: bigint): Buffer => {
  if (value < 0n) return inverted(sortableInt(-1n - value))
  const bytes = sortableUint(value)
  if (bytes[0]! > LONGEST_INT) throw new TonlithError('internal', 'a number does not fit into a key')
  bytes[0]! |= 0x80
  return bytes
}

/** uint64 in descending order. */
export const descendingU64 = (value: bigint): Buffer => u64Key(MAX_U64 - value)

/**
 * The first key behind all keys that begin with `prefix`; undefined when there is none (a prefix of 0xff only).
 */
export const behind = (prefix: Buffer): Buffer | undefined => {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const end = Buffer.allocUnsafe(length)
  copyBytes(prefix, end, 0, length)
  end[length - 1]!++
  return end
}
