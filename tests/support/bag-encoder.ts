import type { Cell } from '../../src/ton/cell.ts'
import { crc32c } from '../../src/ton/crc.ts'

/** The freedoms that a bag of cells leaves to its writer. */
export interface BagShape {
  magic?: number
  index?: boolean
  crc?: boolean
  cacheBits?: boolean
  storedHashes?: boolean
  refBytes?: number
  offsetBytes?: number
}

/** One cell as it stands in a bag. */
export interface RawCell {
  d1: number
  d2: number
  data: Uint8Array
  refs: number[]
}

export const GENERIC = 0xb5ee9c72
export const INDEXED = 0x68ff65f3
export const INDEXED_CRC = 0xacc3a728

const STORED_HASHES = 16
const LEVELS = [0, 1, 2, 3]

const uint = (value: number, size: number): Buffer => {
  const out = Buffer.alloc(size)
  for (let i = size - 1, left = value; i >= 0; i--, left = Math.floor(left / 256)) out[i] = left % 256
  return out
}

/** A bag of the cells as they are given, right or wrong: nothing is checked. */
export const encodeRaw = (cells: readonly RawCell[], roots: readonly number[], shape: BagShape = {}): Buffer => {
  const { magic = GENERIC, cacheBits = false, refBytes = 1, offsetBytes = 2 } = shape
  const generic = magic === GENERIC
  const { index = !generic, crc = magic === INDEXED_CRC } = shape
  const bodies = cells.map(({ d1, d2, data, refs }) =>
    Buffer.concat([Buffer.of(d1, d2), data, ...refs.map((r) => uint(r, refBytes))]),
  )
  const ends: number[] = []
  for (const body of bodies) ends.push((ends.at(-1) ?? 0) + body.length)
  const flags = generic ? (index ? 0x80 : 0) | (crc ? 0x40 : 0) | (cacheBits ? 0x20 : 0) | refBytes : refBytes
  const out = Buffer.concat([
    uint(magic, 4),
    Buffer.of(flags, offsetBytes),
    uint(cells.length, refBytes),
    uint(roots.length, refBytes),
    uint(0, refBytes),
    uint(ends.at(-1) ?? 0, offsetBytes),
    ...(generic ? roots.map((r) => uint(r, refBytes)) : []),
    ...(index ? ends.map((end) => uint(cacheBits ? end * 2 + 1 : end, offsetBytes)) : []),
    ...bodies,
  ])
  if (!crc) return out
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32c(out))
  return Buffer.concat([out, sum])
}

const stored = (cell: Cell): Buffer => {
  const levels = LEVELS.filter((level) => level === 0 || cell.levelMask & (1 << (level - 1)))
  const depths = levels.map((level) => uint(cell.depth(level), 2))
  return Buffer.concat([...levels.map((level) => cell.hash(level)), ...depths])
}

/** The cells below the roots, parents first, each once. */
export const rawCells = (roots: readonly Cell[], storedHashes = false): { cells: RawCell[]; roots: number[] } => {
  const order: Cell[] = []
  const seen = new Set<string>()
  const visit = (cell: Cell): void => {
    const key = cell.hash().toString('hex')
    if (seen.has(key)) return
    seen.add(key)
    for (let i = cell.refCount - 1; i >= 0; i--) visit(cell.ref(i))
    order.push(cell)
  }
  for (const root of roots.toReversed()) visit(root)
  order.reverse()
  const at = new Map(order.map((cell, i) => [cell.hash().toString('hex'), i]))
  const indexOf = (cell: Cell): number => at.get(cell.hash().toString('hex'))!
  const cells = order.map((cell): RawCell => {
    const size = (cell.bits + 7) >> 3
    const data = Buffer.from(cell.bytes.subarray(cell.start, cell.start + size))
    return {
      d1: cell.refCount + (cell.exotic ? 8 : 0) + (storedHashes ? STORED_HASHES : 0) + (cell.levelMask << 5),
      d2: (cell.bits >> 3) + size,
      data: storedHashes ? Buffer.concat([stored(cell), data]) : data,
      refs: Array.from({ length: cell.refCount }, (_, i) => indexOf(cell.ref(i))),
    }
  })
  return { cells, roots: roots.map(indexOf) }
}

/** A well-formed bag of any shape. */
export const encodeBag = (roots: readonly Cell[], shape: BagShape = {}): Buffer => {
  const raw = rawCells(roots, shape.storedHashes)
  return encodeRaw(raw.cells, raw.roots, shape)
}
