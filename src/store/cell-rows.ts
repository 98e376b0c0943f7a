import { TonlithError } from '../common/errors.ts'

/** Value of `account_cells`. */
export interface CellRow {
  /** How many refer to the cell. */
  count: number
  /** False for a cell of which only the hash is known: all that follows is empty. */
  known: boolean
  bits: number
  exotic: boolean
  /** Holds the cell's data bits from `start` on, a last partial byte with its completion tag. */
  data: Uint8Array
  start: number
  /** Keys of its children. */
  refs: Buffer[]
}

const REF_SIZE = 16
const EXOTIC = 8
const UNKNOWN = 7
const MANY = 255

/**
 * The row as bytes: the count (one byte, or 255 and a uint32), the two descriptor bytes of the cell as in a bag of cells,
 * the data, the keys of the children. A cell that is not known has 7 in place of its first descriptor byte.
 */
export const encodeCell = ({ count, known, bits, exotic, data, start, refs }: CellRow): Buffer => {
  const size = (bits + 7) >> 3
  const head = count < MANY ? 1 : 5
  const out = Buffer.allocUnsafe(head + 2 + size + refs.length * REF_SIZE)
  out[0] = Math.min(count, MANY)
  if (count >= MANY) out.writeUInt32BE(count, 1)
  out[head] = known ? refs.length | (exotic ? EXOTIC : 0) : UNKNOWN
  out[head + 1] = (bits >> 3) + size
  out.set(data.subarray(start, start + size), head + 2)
  refs.forEach((ref, i) => {
    out.set(ref, head + 2 + size + i * REF_SIZE)
  })
  return out
}

/** Reads what encodeCell wrote; data and references are views of `bytes`. Throws `internal` for other bytes. */
export const decodeCell = (bytes: Buffer): CellRow => {
  const broken = (): TonlithError => new TonlithError('internal', 'a row of account_cells is damaged')
  const head = bytes[0] === MANY ? 5 : 1
  if (bytes.length < head + 2) throw broken()
  const count = head === 1 ? bytes[0]! : bytes.readUInt32BE(1)
  const d1 = bytes[head]!
  const d2 = bytes[head + 1]!
  const start = head + 2
  const size = (d2 + 1) >> 1
  const known = d1 !== UNKNOWN
  const refCount = known ? d1 & 7 : 0
  if (count === 0 || bytes.length !== start + size + refCount * REF_SIZE) throw broken()
  const last = bytes[start + size - 1]!
  const bits = d2 & 1 ? size * 8 - (32 - Math.clz32(last & -last)) : size * 8
  const refs = Array.from({ length: refCount }, (_, i) => {
    const at = start + size + i * REF_SIZE
    return bytes.subarray(at, at + REF_SIZE)
  })
  return { count, known, bits, exotic: (d1 & EXOTIC) !== 0, data: bytes, start, refs }
}
