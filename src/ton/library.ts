import type { Cell } from './cell.ts'

const HASH_AT = 1
const HASH_END = 33

/** The hash that a library cell names (behind its type in one byte). */
export const libraryHash = ({ bytes, start }: Cell): Buffer =>
  Buffer.from(bytes.subarray(start + HASH_AT, start + HASH_END))
