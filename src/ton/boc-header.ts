import { TonlithError } from '../common/errors.ts'
import { crc32c } from './crc.ts'

/** Layout of a bag of cells (TL-B BagOfCells): where the cells lie and which of them are roots. */
export interface BocHeader {
  count: number
  refBytes: number
  roots: number[]
  cellsAt: number
  cellsEnd: number
  /** Where the ends of all cells are listed; null when they are not. */
  index: BocIndex | null
}

export interface BocIndex {
  at: number
  entryBytes: number
  /** The lowest bit of an entry is a cache bit. */
  cacheBits: boolean
}

export const BOC_GENERIC = 0xb5ee9c72
export const BOC_INDEXED = 0x68ff65f3
export const BOC_INDEXED_CRC = 0xacc3a728

const DEFAULT_MAX_BYTES = 256 << 20
const DEFAULT_MAX_CELLS = 1 << 24
const DEFAULT_MAX_ROOTS = 16384

const bad = (what: string): TonlithError => new TonlithError('malformed', `bag of cells: ${what}`)

/** Reads and checks everything before the cells, and the checksum. Throws `malformed` or `limit`. */
export const readBocHeader = (
  bytes: Uint8Array,
  limits: { maxBytes?: number; maxCells?: number; maxRoots?: number } = {},
): BocHeader => {
  const { maxBytes = DEFAULT_MAX_BYTES, maxCells = DEFAULT_MAX_CELLS, maxRoots = DEFAULT_MAX_ROOTS } = limits
  if (bytes.length > maxBytes) throw new TonlithError('limit', `bag of cells is larger than ${maxBytes} bytes`)
  let at = 0
  const uint = (n: number): number => {
    if (at + n > bytes.length) throw bad('header ends early')
    let v = 0
    for (let i = 0; i < n; i++) v = v * 256 + bytes[at++]!
    return v
  }
  const magic = uint(4)
  if (magic !== BOC_GENERIC && magic !== BOC_INDEXED && magic !== BOC_INDEXED_CRC) throw bad('unknown magic')
  const generic = magic === BOC_GENERIC
  const flags = uint(1)
  const refBytes = generic ? flags & 7 : flags
  const hasIndex = generic ? (flags & 0x80) !== 0 : true
  const hasCrc = generic ? (flags & 0x40) !== 0 : magic === BOC_INDEXED_CRC
  const hasCacheBits = generic && (flags & 0x20) !== 0
  if (generic && flags & 0x18) throw bad('unknown flags')
  if (hasCacheBits && !hasIndex) throw bad('cache bits without index')
  if (refBytes < 1 || refBytes > 4) throw bad('bad reference size')
  const offsetBytes = uint(1)
  if (offsetBytes < 1 || offsetBytes > 8) throw bad('bad offset size')
  const count = uint(refBytes)
  const rootCount = uint(refBytes)
  const absent = uint(refBytes)
  if (offsetBytes > 6 && bytes[at] !== 0) throw bad('data size too large')
  const size = uint(offsetBytes)
  if (count < 1 || rootCount < 1 || rootCount + absent > count) throw bad('bad cell or root count')
  if (absent > 0) throw bad('absent cells are not supported')
  if (!generic && rootCount !== 1) throw bad('expected to have exactly one root')
  if (count > maxCells) throw new TonlithError('limit', `bag of cells has more than ${maxCells} cells`)
  if (rootCount > maxRoots) throw new TonlithError('limit', `bag of cells has more than ${maxRoots} roots`)
  const rootsEnd = at + (generic ? rootCount * refBytes : 0)
  const cellsAt = rootsEnd + (hasIndex ? count * offsetBytes : 0)
  const cellsEnd = cellsAt + size
  if (cellsEnd + (hasCrc ? 4 : 0) !== bytes.length) throw bad('length does not match the header')
  if (size < count * 2) throw bad('too many cells for the data')
  const roots: number[] = []
  for (let i = 0; generic && i < rootCount; i++) {
    const root = uint(refBytes)
    if (root >= count) throw bad('bad root index')
    roots.push(root)
  }
  if (!generic) roots.push(0)
  if (hasCrc) {
    const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(cellsEnd, true)
    if (crc32c(bytes, 0, cellsEnd) !== stored) throw bad('checksum mismatch')
  }
  const index = hasIndex ? { at: rootsEnd, entryBytes: offsetBytes, cacheBits: hasCacheBits } : null
  return { count, refBytes, roots, cellsAt, cellsEnd, index }
}
