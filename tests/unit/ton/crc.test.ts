import { describe, expect, test } from 'bun:test'
import { crc16, crc32c } from '../../../src/ton/crc.ts'

const ascii = (text: string): Buffer => Buffer.from(text, 'ascii')

describe('crc32c', () => {
  test('has the check value of CRC-32C', () => {
    expect(crc32c(ascii('123456789'))).toBe(0xe3069283)
  })

  test('gives the values of RFC 3720 B.4', () => {
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43)
    expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => i)))).toBe(0x46dd794e)
    expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => 31 - i)))).toBe(0x113fdb5c)
  })

  test('of nothing is zero', () => {
    expect(crc32c(Buffer.alloc(0))).toBe(0)
  })

  test('takes part of the bytes, at any length and alignment', () => {
    const bytes = Buffer.from(Array.from({ length: 64 }, (_, i) => (i * 37) & 255))
    for (let from = 0; from < 20; from++)
      for (let to = from; to <= bytes.length; to++)
        expect(crc32c(bytes, from, to)).toBe(crc32c(Buffer.from(bytes.subarray(from, to))))
  })
})

describe('crc16', () => {
  test('has the check value of CRC-16/XMODEM', () => {
    expect(crc16(ascii('123456789'))).toBe(0x31c3)
  })

  test('gives the ids of get-methods', () => {
    const methodId = (name: string): number => (crc16(ascii(name)) & 0xffff) | 0x10000
    expect(methodId('seqno')).toBe(85143)
    expect(methodId('get_wallet_address')).toBe(103289)
  })
})
