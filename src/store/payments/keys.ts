import { bytesOfUlid, ulidOfBytes } from '../../common/ulid.ts'

/** Bytes of a ULID. */
const ULID_BYTES = 16
const DUE_BYTES = 6

/** Stands for the owner of transfers that were made without a key. */
const NOBODY = Buffer.alloc(ULID_BYTES)

/** @param merchant its id; null for transfers without one */
export const ownerKey = (merchant: string | null): Buffer => (merchant === null ? NOBODY : bytesOfUlid(merchant))

/** Two ULIDs, one after the other. */
export const pairKey = (first: string, second: string): Buffer =>
  Buffer.concat([bytesOfUlid(first), bytesOfUlid(second)])

/** The ULID that stands last in a key. */
export const lastUlid = (key: Buffer): string => ulidOfBytes(key.subarray(key.length - ULID_BYTES))

/** The ULID that stands first in a key. */
export const firstUlid = (key: Buffer): string => ulidOfBytes(key.subarray(0, ULID_BYTES))

/** @param expires unix seconds */
export const unpaidKey = (merchant: string | null, expires: number, reference: string): Buffer => {
  const time = Buffer.allocUnsafe(4)
  time.writeUInt32BE(expires, 0)
  return Buffer.concat([ownerKey(merchant), time, bytesOfUlid(reference)])
}

/** When the transfer of this key of `unpaid` expires: unix seconds. */
export const expiryIn = (key: Buffer): number => key.readUInt32BE(ULID_BYTES)

export const paidKey = (reference: string, transaction: Buffer): Buffer =>
  Buffer.concat([bytesOfUlid(reference), transaction])

/** The transaction of a key of `paid`. */
export const paidTransactionIn = (key: Buffer): Buffer => Buffer.from(key.subarray(ULID_BYTES))

/** @param due unix milliseconds */
export const dueKey = (merchant: string, due: number, event: string): Buffer => {
  const time = Buffer.allocUnsafe(DUE_BYTES)
  time.writeUIntBE(due, 0, DUE_BYTES)
  return Buffer.concat([bytesOfUlid(merchant), time, bytesOfUlid(event)])
}

/** When the delivery of this key of `due` is due: unix milliseconds. */
export const dueIn = (key: Buffer): number => key.readUIntBE(ULID_BYTES, DUE_BYTES)

export const attemptKey = (event: string, n: number): Buffer => {
  const number = Buffer.allocUnsafe(4)
  number.writeUInt32BE(n, 0)
  return Buffer.concat([bytesOfUlid(event), number])
}
