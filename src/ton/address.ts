import { compareBytes } from '../common/compare-bytes.ts'
import { TonlithError } from '../common/errors.ts'
import { crc16 } from './crc.ts'

/** A standard account address (TL-B addr_std without anycast): int32 workchain and 32-byte account id. */
export interface Address {
  workchain: number
  hash: Buffer
}

/** What the tag byte of the friendly form says beside the address itself. */
export interface AddressFlags {
  bounceable: boolean
  testOnly: boolean
}

/** A parsed address with the flags of the form it was written in; `flags` is undefined for the raw form. */
export interface GivenAddress extends Address {
  flags: AddressFlags | undefined
}

const TAG_BOUNCEABLE = 0x11
const TAG_NON_BOUNCEABLE = 0x51
const TAG_TEST_ONLY = 0x80
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/
const RAW = /^(-?[0-9]{1,10}):([0-9a-fA-F]{64})$/
/** Text before the colon of a raw address may not be longer (reference: block::StdAddress::parse_addr). */
const RAW_WORKCHAIN_LENGTH = 10
const INT32_MAX = 0x7fffffff

/** The flags under which an address is shown when nobody gave any. */
export const BOUNCEABLE: AddressFlags = { bounceable: true, testOnly: false }

const parseRaw = (text: string): GivenAddress | undefined => {
  const match = RAW.exec(text)
  if (!match || match[1]!.length > RAW_WORKCHAIN_LENGTH) return undefined
  const workchain = Number(match[1])
  if (Math.abs(workchain) > INT32_MAX) return undefined
  return { workchain: workchain === 0 ? 0 : workchain, hash: Buffer.from(match[2]!, 'hex'), flags: undefined }
}

const parseFriendly = (text: string): GivenAddress | undefined => {
  if (!FRIENDLY.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  const tag = bytes.readUInt8(0)
  if ((tag & 0x3f) !== TAG_BOUNCEABLE || crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) return undefined
  const flags = { bounceable: (tag & 0x40) === 0, testOnly: (tag & TAG_TEST_ONLY) !== 0 }
  return { workchain: bytes.readInt8(1), hash: bytes.subarray(2, 34), flags }
}

/**
 * Reads an address in the raw form `<int32>:<64 hex>` or the friendly form (48 characters of either base64 alphabet, or
 * both mixed; tag, int8 workchain, account id, CRC16). Returns undefined when it is neither. The test-only flag is
 * accepted on every network (contracts/v2.md 2.1).
 */
export const tryParseAddress = (text: string): GivenAddress | undefined =>
  text.includes(':') ? parseRaw(text) : parseFriendly(text)

/** `<workchain>:<64 lower-case hex>`. */
export const rawAddress = (address: Address): string => `${address.workchain}:${address.hash.toString('hex')}`

/** `<workchain>:<64 UPPER-CASE HEX>`, the form the reference normalises to. */
export const rawAddressUpper = (address: Address): string =>
  `${address.workchain}:${address.hash.toString('hex').toUpperCase()}`

/** Room for one friendly form, and its part without the checksum. */
const FORM = Buffer.alloc(36)
const FORM_BODY = FORM.subarray(0, 34)

/**
 * The 36 bytes of the friendly form, which change with the next call. The form has one byte for the workchain: one beyond
 * -128 to 127 throws `invalid` rather than naming another account.
 */
export const friendlyForm = (address: Address, flags: AddressFlags): Buffer => {
  if (address.workchain < -128 || address.workchain > 127) {
    throw new TonlithError('invalid', 'workchain has no friendly form')
  }
  const bytes = FORM
  bytes[0] = (flags.bounceable ? TAG_BOUNCEABLE : TAG_NON_BOUNCEABLE) | (flags.testOnly ? TAG_TEST_ONLY : 0)
  bytes[1] = address.workchain & 0xff
  bytes.set(address.hash, 2)
  bytes.writeUInt16BE(crc16(FORM_BODY), 34)
  return bytes
}

/**
 * The 48-character friendly form. `alphabet` is URL-safe unless told otherwise; 36 bytes never need padding. Throws
 * `invalid` as friendlyForm does.
 */
export const friendlyAddress = (
  address: Address,
  flags: AddressFlags = BOUNCEABLE,
  alphabet: 'base64' | 'base64url' = 'base64url',
): string => friendlyForm(address, flags).toString(alphabet)

/** Equality of workchain and account id. */
export const sameAddress = (a: Address, b: Address): boolean => a.workchain === b.workchain && a.hash.equals(b.hash)

/** Order of accounts: by workchain, then by account id. */
export const compareAddresses = (a: Address, b: Address): number =>
  a === b ? 0 : a.workchain - b.workchain || compareBytes(a.hash, b.hash)

/** The leading 64 bits of the account id, which decide the shard that owns the account. */
export const accountPrefix = (address: Address): bigint => address.hash.readBigUInt64BE(0)
