import { crc16 } from './crc.ts'

/** Id of a get-method by its name: CRC16 of the name with bit 16 set. */
export const methodId = (name: string): number => (crc16(Buffer.from(name)) & 0xffff) | 0x10000
