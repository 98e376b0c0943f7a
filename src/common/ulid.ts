/** Crockford's base 32, in the order of the values. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** What is read as a digit that it looks like. */
const LOOKALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Characters of a ULID. */
export const ULID_LENGTH = 26
const BYTES = 16
const RANDOM_BYTES = 10

/** The 26 characters of 16 bytes. Their order is that of the bytes. */
export const ulidOfBytes = (bytes: Uint8Array): string => {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < ULID_LENGTH; i++) {
    text = ALPHABET[Number(value & 31n)] + text
    value >>= 5n
  }
  return text
}

/** A ULID, as ulidOfBytes writes it, as a number of 128 bits. */
export const ulidNumber = (ulid: string): bigint => {
  let value = 0n
  for (const character of ulid) value = (value << 5n) | BigInt(ALPHABET.indexOf(character))
  return value
}

/** The 16 bytes of a ULID as ulidOfBytes writes it. */
export const bytesOfUlid = (ulid: string): Buffer =>
  Buffer.from(
    ulidNumber(ulid)
      .toString(16)
      .padStart(2 * BYTES, '0'),
    'hex',
  )

/**
 * A new ULID: 48 bits of time, 80 random ones.
 * @param now unix milliseconds
 * @param random at least 10 random bytes
 */
export const makeUlid = (now: number, random: Uint8Array): string => {
  const bytes = Buffer.alloc(BYTES)
  bytes.writeUIntBE(now, 0, BYTES - RANDOM_BYTES)
  bytes.set(random.subarray(0, RANDOM_BYTES), BYTES - RANDOM_BYTES)
  return ulidOfBytes(bytes)
}

/** Reads a ULID in either case, and letters that look like a digit as that digit; undefined for anything else. */
export const tryParseUlid = (text: string): string | undefined => {
  if (text.length !== ULID_LENGTH) return undefined
  const upper = text.toUpperCase().replace(/[ILO]/g, (letter) => LOOKALIKES[letter]!)
  return ULID.test(upper) ? upper : undefined
}

/** When a ULID was made: unix milliseconds. */
export const ulidTime = (ulid: string): number => bytesOfUlid(ulid).readUIntBE(0, BYTES - RANDOM_BYTES)
