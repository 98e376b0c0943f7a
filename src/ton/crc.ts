const table = (polynomial: number): Uint32Array => {
  const t = new Uint32Array(256 * 8)
  for (let i = 0; i < 256; i++) {
    let c = i
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ polynomial : c >>> 1
    t[i] = c >>> 0
  }
  for (let i = 256; i < t.length; i++) t[i] = (t[i - 256]! >>> 8) ^ t[t[i - 256]! & 255]!
  return t
}

const CASTAGNOLI = table(0x82f63b78)

/** CRC-32C (Castagnoli) of bytes[from..to), the checksum of bags of cells and of validator_list_hash_short. */
export const crc32c = (bytes: Uint8Array, from = 0, to = bytes.length): number => {
  const t = CASTAGNOLI
  let c = 0xffffffff
  let i = from
  for (const end = to - 7; i < end; i += 8) {
    const a = c ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24))
    c =
      t[1792 + (a & 255)]! ^
      t[1536 + ((a >>> 8) & 255)]! ^
      t[1280 + ((a >>> 16) & 255)]! ^
      t[1024 + (a >>> 24)]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!
  }
  for (; i < to; i++) c = (c >>> 8) ^ t[(c ^ bytes[i]!) & 255]!
  return (c ^ 0xffffffff) >>> 0
}

/** CRC-16/XMODEM of each byte. */
const XMODEM = Uint16Array.from({ length: 256 }, (_, byte) => {
  let c = byte << 8
  for (let k = 0; k < 8; k++) c = c & 0x8000 ? (c << 1) ^ 0x1021 : c << 1
  return c
})

/** CRC-16/XMODEM of the bytes: the checksum of friendly addresses and the source of get-method ids. */
export const crc16 = (bytes: Uint8Array): number => {
  let c = 0
  for (let i = 0; i < bytes.length; i++) c = ((c << 8) & 0xffff) ^ XMODEM[(c >>> 8) ^ bytes[i]!]!
  return c
}
