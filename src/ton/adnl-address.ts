import { crc16 } from './crc.ts'

const TAG = 0x2d
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 base32 of a whole number of 5-bit groups, in lower case. */
const base32 = (bytes: Buffer): string => {
  let text = ''
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(pending >> (bits - 5)) & 31]
  }
  return text
}

/**
 * The 55-character form of a 32-byte ADNL address, in lower case: tag, address and CRC16 in base32 without the first
 * letter, which is the same for all (td::adnl_id_encode).
 */
export const adnlAddressText = (address: Buffer): string => {
  const bytes = Buffer.alloc(35)
  bytes[0] = TAG
  address.copy(bytes, 1, 0, 32)
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 33)), 33)
  return base32(bytes).slice(1)
}
