import { BOC_GENERIC } from './boc-header.ts'
import { type Cell, HASH_BYTES, hashIndex, MAX_REFS } from './cell.ts'
import { CellTree } from './cell-tree.ts'
import { crc32c } from './crc.ts'

export interface BocOptions {
  /** CRC32C at the end (node: mode 2). Default true. */
  crc?: boolean
  /** Offsets of all cells in front (node: mode 1). Default false. */
  index?: boolean
  /** Marks the cells that occur several times in the index, for readers that keep cells (node: mode 16). */
  cacheBits?: boolean
  /** Hashes and depths in front of the heads of large subtrees (node: mode 8). */
  storedHashes?: boolean
}

const MAX_SPECIAL_WEIGHT = 64
/** Up to this weight no child can have more than its share: four share 63. */
const MAX_PLAIN_WEIGHT = 16
const NEW = -1
const PREVISITED = -2
const VISITED = -3
const MAX_KEPT = 1 << 12

const tree = new CellTree()
/** Of each cell its place in the order of allocation; until it has one, how far the walks have come. */
let states = new Int32Array(MAX_KEPT)
/** Places of cells in the order of allocation. */
let order = new Int32Array(MAX_KEPT)
let allocated = 0

const collect = (roots: readonly Cell[]): readonly number[] => {
  const alone = roots.length === 1 && roots[0]!.refCount === 0
  const tops = alone ? [tree.addAlone(roots[0]!)] : roots.map((root) => tree.add(root))
  const { count } = tree
  if (count > states.length || states.length > MAX_KEPT) {
    states = new Int32Array(Math.max(count, MAX_KEPT))
    order = new Int32Array(Math.max(count, MAX_KEPT))
  }
  states.fill(NEW, 0, count)
  allocated = 0
  return tops
}

/** Shares the weight limit among the children of a cell. */
const shareWeight = (refsAt: number, refCount: number): void => {
  const { refs, weights } = tree
  let budget = MAX_SPECIAL_WEIGHT - 1
  const heavy: number[] = []
  for (let j = 0; j < refCount; j++) {
    const child = refs[refsAt + j]!
    const weight = weights[child]!
    if (weight <= Math.floor((MAX_SPECIAL_WEIGHT - 1 + j) / refCount)) budget -= weight
    else heavy.push(child)
  }
  for (const child of heavy) weights[child] = Math.min(weights[child]!, Math.floor(budget++ / heavy.length))
}

/** Shares the weight limit among children and marks the heads of large subtrees with weight 0; tells whether there are any. */
const capWeights = (tops: readonly number[]): boolean => {
  const { refs, weights, cells, count } = tree
  if (tops.every((top) => weights[top]! <= MAX_PLAIN_WEIGHT)) return false
  for (let i = count - 1; i >= 0; i--) shareWeight(i * MAX_REFS, cells[i]!.refCount)
  let marked = false
  for (let i = 0; i < count; i++) {
    let sum = 1
    for (let j = 0, { refCount } = cells[i]!; j < refCount; j++) sum += weights[refs[i * MAX_REFS + j]!]!
    if (sum <= weights[i]!) weights[i] = sum
    else {
      weights[i] = 0
      marked = true
    }
  }
  return marked
}

const previsit = (place: number): void => {
  if (states[place] !== NEW) return
  for (let j = tree.cells[place]!.refCount - 1; j >= 0; j--) {
    const child = tree.refs[place * MAX_REFS + j]!
    if (tree.weights[child] === 0) visit(child)
    else previsit(child)
  }
  states[place] = PREVISITED
}

const allocate = (place: number): void => {
  if (states[place]! >= 0) return
  states[place] = allocated
  order[allocated++] = place
}

const visit = (place: number): void => {
  const state = states[place]!
  if (state >= 0 || state === VISITED) return
  if (tree.weights[place] === 0) previsit(place)
  const { refs } = tree
  const last = place * MAX_REFS + tree.cells[place]!.refCount - 1
  for (let at = last; at >= place * MAX_REFS; at--) visit(refs[at]!)
  for (let at = last; at >= place * MAX_REFS; at--) allocate(refs[at]!)
  states[place] = VISITED
}

/**
 * The reference serialiser's allocation order (contracts/v2.md 3.5): file order is its reverse. It looks for heads of large
 * subtrees first, where any are `marked`.
 */
const allocateAll = (tops: readonly number[], marked: boolean): void => {
  for (const top of tops) {
    if (marked) previsit(top)
    visit(top)
  }
  for (const top of tops) allocate(top)
}

const bytesFor = (limit: number): number => {
  let n = 1
  while (limit >= 256 ** n) n++
  return n
}

const writeUint = (out: Buffer, value: number, at: number, size: number): void => {
  if (size === 1) {
    out[at] = value
    return
  }
  let left = value
  for (let i = size - 1; i >= 0; i--) {
    out[at + i] = left % 256
    left = Math.floor(left / 256)
  }
}

const HASH_AND_DEPTH = HASH_BYTES + 2

/** Writes a cell's hashes of all its levels, then their depths; gives the position behind them. */
const writeHashes = (out: Buffer, cell: Cell, at: number): number => {
  const levels = [0, 1, 2, 3].filter((level) => level === 0 || cell.levelMask & (1 << (level - 1)))
  let end = at
  for (const level of levels) {
    out.set(cell.hash(level), end)
    end += HASH_BYTES
  }
  for (const level of levels) end = out.writeUInt16BE(cell.depth(level), end)
  return end
}

type Room = (bytes: number) => Buffer

/** Writes the cells of the tree. */
const writeTree = (
  roots: readonly Cell[],
  { crc = true, index = false, cacheBits = false, storedHashes = false }: BocOptions,
  room: Room,
): Buffer => {
  const tops = collect(roots)
  allocateAll(tops, capWeights(tops))
  const { cells, refs, weights, shared, count } = tree
  const hasHashes = (place: number): boolean => storedHashes && weights[place] === 0
  const refBytes = bytesFor(count)
  let dataBytes = 0
  for (let place = 0; place < count; place++) {
    const cell = cells[place]!
    dataBytes += 2 + ((cell.bits + 7) >> 3) + cell.refCount * refBytes
    if (hasHashes(place)) dataBytes += (hashIndex(cell.levelMask, 3) + 1) * HASH_AND_DEPTH
  }
  const offsetBytes = bytesFor(cacheBits ? dataBytes * 2 : dataBytes)
  const head = 6 + 3 * refBytes + offsetBytes + roots.length * refBytes
  const cellsAt = head + (index ? count * offsetBytes : 0)
  const out = room(cellsAt + dataBytes + (crc ? 4 : 0))
  writeUint(out, BOC_GENERIC, 0, 4)
  out[4] = (index ? 0x80 : 0) | (crc ? 0x40 : 0) | (cacheBits ? 0x20 : 0) | refBytes
  out[5] = offsetBytes
  writeUint(out, count, 6, refBytes)
  writeUint(out, roots.length, 6 + refBytes, refBytes)
  writeUint(out, 0, 6 + 2 * refBytes, refBytes)
  writeUint(out, dataBytes, 6 + 3 * refBytes, offsetBytes)
  for (let i = 0; i < tops.length; i++)
    writeUint(out, count - 1 - states[tops[i]!]!, head - (tops.length - i) * refBytes, refBytes)
  let at = cellsAt
  for (let i = count - 1; i >= 0; i--) {
    const place = order[i]!
    const cell = cells[place]!
    const { bytes, start, bits, refCount } = cell
    const size = (bits + 7) >> 3
    const withHashes = hasHashes(place)
    out[at++] = refCount + (cell.exotic ? 8 : 0) + (withHashes ? 16 : 0) + (cell.levelMask << 5)
    out[at++] = (bits >> 3) + size
    if (withHashes) at = writeHashes(out, cell, at)
    for (let from = start, end = from + size; from < end; from++) out[at++] = bytes[from]!
    for (let ref = place * MAX_REFS, end = ref + refCount; ref < end; ref++) {
      writeUint(out, count - 1 - states[refs[ref]!]!, at, refBytes)
      at += refBytes
    }
    const offset = at - cellsAt
    const entry = cacheBits ? offset * 2 + shared[place]! : offset
    if (index) writeUint(out, entry, head + (count - 1 - i) * offsetBytes, offsetBytes)
  }
  if (crc) out.writeUInt32LE(crc32c(out, 0, at), at)
  return out
}

const writeBag: typeof writeTree = (roots, options, room) => {
  try {
    return writeTree(roots, options, room)
  } finally {
    tree.clear()
  }
}

const ownBuffer: Room = (bytes) => Buffer.allocUnsafe(bytes)

/**
 * Serialises cells to a bag of cells with the cell order of the reference node, equal to it byte for byte
 * (node: BagOfCells, modes 0 to 3, and 31 for states). Cells that occur several times are written once. Throws `limit` beyond depth 1024.
 */
export const serializeBoc = (roots: readonly Cell[], options: BocOptions = {}): Buffer =>
  writeBag(roots, options, ownBuffer)

/** One root, with CRC32C and without index: the form of every `bytes`, `code`, `data` and `body` in API v2. */
export const cellToBoc = (cell: Cell): Buffer => serializeBoc([cell])

const passing = Buffer.alloc(1 << 12)
const passingRoom: Room = (bytes) => (bytes > passing.length ? Buffer.allocUnsafe(bytes) : passing.subarray(0, bytes))

/** The same for a reader at once: the bytes change when the next bag is written. */
export const passingBoc = (cell: Cell): Buffer => writeBag([cell], {}, passingRoom)

/** The same in standard base64. */
export const cellToBase64 = (cell: Cell): string => passingBoc(cell).toString('base64')

/**
 * A block or a state in the form in which nodes keep and send it (mode 31: index with cache bits, stored hashes, CRC32C).
 * The SHA-256 of these bytes is the file hash.
 */
export const blockToBoc = (root: Cell): Buffer =>
  serializeBoc([root], { crc: true, index: true, cacheBits: true, storedHashes: true })
