import { TonlithError } from '../common/errors.ts'
import { BOC_GENERIC } from './boc-header.ts'
import { type Cell, HASH_BYTES, hashIndex, MAX_DEPTH } from './cell.ts'
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

interface Node {
  cell: Cell
  refs: number[]
  weight: number
  state: number
  shared: boolean
}

const MAX_SPECIAL_WEIGHT = 64
/** Up to this weight no child can have more than its share: four share 63. */
const MAX_PLAIN_WEIGHT = 16
const NEW = -1
const PREVISITED = -2
const VISITED = -3

/** Every different cell below the roots, children before parents, each with its weight. */
const collect = (roots: readonly Cell[]): { nodes: Node[]; rootNodes: number[] } => {
  const [first] = roots
  if (first?.refCount === 0 && roots.length === 1)
    return { nodes: [{ cell: first, refs: [], weight: 1, state: NEW, shared: false }], rootNodes: [0] }
  const nodes: Node[] = []
  /** Nodes by the head of their hash, or by the next number that is free. */
  const known = new Map<number, number>()
  const visit = (cell: Cell, depth: number): number => {
    if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
    let key = cell.hashHead()
    for (let found = known.get(key); found !== undefined; found = known.get(++key)) {
      const node = nodes[found]!
      if (node.cell !== cell && !node.cell.hash().equals(cell.hash())) continue
      node.shared = true
      return found
    }
    const refs: number[] = []
    let weight = 1
    for (let i = 0; i < cell.refCount; i++) {
      const child = visit(cell.ref(i), depth + 1)
      refs.push(child)
      weight += nodes[child]!.weight
    }
    nodes.push({ cell, refs, weight: Math.min(255, weight), state: NEW, shared: false })
    while (known.has(key)) key++
    known.set(key, nodes.length - 1)
    return nodes.length - 1
  }
  return { rootNodes: roots.map((root) => visit(root, 0)), nodes }
}

/** Shares the weight limit among the children of a node. */
const shareWeight = (nodes: Node[], refs: readonly number[]): void => {
  let budget = MAX_SPECIAL_WEIGHT - 1
  let heavy: Node[] | undefined
  for (let j = 0; j < refs.length; j++) {
    const child = nodes[refs[j]!]!
    if (child.weight <= Math.floor((MAX_SPECIAL_WEIGHT - 1 + j) / refs.length)) budget -= child.weight
    else if (heavy) heavy.push(child)
    else heavy = [child]
  }
  if (heavy) for (const child of heavy) child.weight = Math.min(child.weight, Math.floor(budget++ / heavy.length))
}

/** Shares the weight limit among children and marks the heads of large subtrees with weight 0; tells whether there are any. */
const capWeights = (nodes: Node[], rootNodes: readonly number[]): boolean => {
  if (rootNodes.every((root) => nodes[root]!.weight <= MAX_PLAIN_WEIGHT)) return false
  for (let i = nodes.length - 1; i >= 0; i--) shareWeight(nodes, nodes[i]!.refs)
  let marked = false
  for (const node of nodes) {
    let sum = 1
    for (const r of node.refs) sum += nodes[r]!.weight
    if (sum <= node.weight) node.weight = sum
    else {
      node.weight = 0
      marked = true
    }
  }
  return marked
}

/**
 * The reference serialiser's allocation order (contracts/v2.md 3.5): file order is its reverse. It looks for heads of large
 * subtrees first, where any are `marked`.
 */
const allocate = (nodes: Node[], rootNodes: readonly number[], marked: boolean): number[] => {
  const order: number[] = []
  const previsit = (i: number): void => {
    const node = nodes[i]!
    if (node.state !== NEW) return
    for (let j = node.refs.length - 1; j >= 0; j--) {
      const child = node.refs[j]!
      if (nodes[child]!.weight === 0) visit(child)
      else previsit(child)
    }
    node.state = PREVISITED
  }
  const place = (i: number): void => {
    const node = nodes[i]!
    if (node.state >= 0) return
    node.state = order.length
    order.push(i)
  }
  const visit = (i: number): void => {
    const node = nodes[i]!
    if (node.state >= 0 || node.state === VISITED) return
    if (node.weight === 0) previsit(i)
    for (let j = node.refs.length - 1; j >= 0; j--) visit(node.refs[j]!)
    for (let j = node.refs.length - 1; j >= 0; j--) place(node.refs[j]!)
    node.state = VISITED
  }
  for (const root of rootNodes) {
    if (marked) previsit(root)
    visit(root)
  }
  for (const root of rootNodes) place(root)
  return order
}

const bytesFor = (limit: number): number => {
  let n = 1
  while (limit >= 256 ** n) n++
  return n
}

const writeUint = (out: Buffer, value: number, at: number, size: number): void => {
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

/**
 * Serialises cells to a bag of cells with the cell order of the reference node, equal to it byte for byte
 * (node: BagOfCells, modes 0 to 3, and 31 for states). Cells that occur several times are written once. Throws `limit` beyond depth 1024.
 */
export const serializeBoc = (
  roots: readonly Cell[],
  { crc = true, index = false, cacheBits = false, storedHashes = false }: BocOptions = {},
): Buffer => {
  const { nodes, rootNodes } = collect(roots)
  const marked = capWeights(nodes, rootNodes)
  const hashed = new Set(storedHashes ? nodes.filter(({ weight }) => weight === 0) : [])
  const order = allocate(nodes, rootNodes, marked)
  const count = order.length
  const refBytes = bytesFor(count)
  let dataBytes = 0
  for (const { cell } of nodes) dataBytes += 2 + ((cell.bits + 7) >> 3) + cell.refCount * refBytes
  for (const { cell } of hashed) dataBytes += (hashIndex(cell.levelMask, 3) + 1) * HASH_AND_DEPTH
  const offsetBytes = bytesFor(cacheBits ? dataBytes * 2 : dataBytes)
  const head = 6 + 3 * refBytes + offsetBytes + roots.length * refBytes
  const cellsAt = head + (index ? count * offsetBytes : 0)
  const out = Buffer.allocUnsafe(cellsAt + dataBytes + (crc ? 4 : 0))
  out.writeUInt32BE(BOC_GENERIC, 0)
  out[4] = (index ? 0x80 : 0) | (crc ? 0x40 : 0) | (cacheBits ? 0x20 : 0) | refBytes
  out[5] = offsetBytes
  writeUint(out, count, 6, refBytes)
  writeUint(out, roots.length, 6 + refBytes, refBytes)
  writeUint(out, 0, 6 + 2 * refBytes, refBytes)
  writeUint(out, dataBytes, 6 + 3 * refBytes, offsetBytes)
  rootNodes.forEach((r, i) => {
    writeUint(out, count - 1 - nodes[r]!.state, head - (roots.length - i) * refBytes, refBytes)
  })
  let at = cellsAt
  for (let i = count - 1; i >= 0; i--) {
    const node = nodes[order[i]!]!
    const { cell, refs } = node
    const size = (cell.bits + 7) >> 3
    const withHashes = hashed.has(node)
    out[at++] = cell.refCount + (cell.exotic ? 8 : 0) + (withHashes ? 16 : 0) + (cell.levelMask << 5)
    out[at++] = (cell.bits >> 3) + size
    if (withHashes) at = writeHashes(out, cell, at)
    const { bytes } = cell
    for (let from = cell.start, end = from + size; from < end; from++) out[at++] = bytes[from]!
    for (const r of refs) {
      writeUint(out, count - 1 - nodes[r]!.state, at, refBytes)
      at += refBytes
    }
    const offset = at - cellsAt
    const entry = cacheBits ? offset * 2 + (node.shared ? 1 : 0) : offset
    if (index) writeUint(out, entry, head + (count - 1 - i) * offsetBytes, offsetBytes)
  }
  if (crc) out.writeUInt32LE(crc32c(out, 0, at), at)
  return out
}

/** One root, with CRC32C and without index: the form of every `bytes`, `code`, `data` and `body` in API v2. */
export const cellToBoc = (cell: Cell): Buffer => serializeBoc([cell])

/**
 * A block or a state in the form in which nodes keep and send it (mode 31: index with cache bits, stored hashes, CRC32C).
 * The SHA-256 of these bytes is the file hash.
 */
export const blockToBoc = (root: Cell): Buffer =>
  serializeBoc([root], { crc: true, index: true, cacheBits: true, storedHashes: true })
