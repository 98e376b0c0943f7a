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
  readonly cell: Cell
  readonly refs: readonly Node[]
  weight: number
  /** Its place in the order; until it has one, how far the walks have come. */
  state: number
  shared: boolean
}

const MAX_SPECIAL_WEIGHT = 64
/** Up to this weight no child can have more than its share: four share 63. */
const MAX_PLAIN_WEIGHT = 16
const MAX_WEIGHT = 255
const NEW = -1
const PREVISITED = -2
const VISITED = -3
const NO_REFS: readonly Node[] = []

/** Every different cell below the roots. */
interface Nodes {
  /** Children before parents. */
  readonly all: Node[]
  /** By the head of the hash, or by the next number that is free. */
  readonly known: Map<number, Node>
}

const newNode = (cell: Cell, refs: readonly Node[], weight: number): Node => ({
  cell,
  refs,
  weight,
  state: NEW,
  shared: false,
})

/** The node of a cell, with its weight; it is made behind those of the cells below where there is none yet. */
const nodeOf = (cell: Cell, depth: number, nodes: Nodes): Node => {
  const { all, known } = nodes
  if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
  let key = cell.hashHead()
  for (let found = known.get(key); found !== undefined; found = known.get(++key)) {
    if (found.cell !== cell && !found.cell.hash().equals(cell.hash())) continue
    found.shared = true
    return found
  }
  const { refCount } = cell
  let node: Node
  if (refCount === 0) node = newNode(cell, NO_REFS, 1)
  else {
    const refs: Node[] = []
    let weight = 1
    for (let i = 0; i < refCount; i++) {
      const child = nodeOf(cell.ref(i), depth + 1, nodes)
      refs.push(child)
      weight += child.weight
    }
    node = newNode(cell, refs, Math.min(MAX_WEIGHT, weight))
    while (known.has(key)) key++
  }
  all.push(node)
  known.set(key, node)
  return node
}

const collect = (roots: readonly Cell[]): { all: readonly Node[]; tops: readonly Node[] } => {
  const [first] = roots
  if (first?.refCount === 0 && roots.length === 1) {
    const all = [newNode(first, NO_REFS, 1)]
    return { all, tops: all }
  }
  const nodes: Nodes = { all: [], known: new Map() }
  const tops = roots.map((root) => nodeOf(root, 0, nodes))
  return { all: nodes.all, tops }
}

/** Shares the weight limit among the children of a node. */
const shareWeight = (children: readonly Node[]): void => {
  let budget = MAX_SPECIAL_WEIGHT - 1
  let heavy: Node[] | undefined
  for (let j = 0; j < children.length; j++) {
    const child = children[j]!
    if (child.weight <= Math.floor((MAX_SPECIAL_WEIGHT - 1 + j) / children.length)) budget -= child.weight
    else if (heavy) heavy.push(child)
    else heavy = [child]
  }
  if (heavy) for (const child of heavy) child.weight = Math.min(child.weight, Math.floor(budget++ / heavy.length))
}

/** Shares the weight limit among children and marks the heads of large subtrees with weight 0; tells whether there are any. */
const capWeights = (all: readonly Node[], tops: readonly Node[]): boolean => {
  if (tops.every(({ weight }) => weight <= MAX_PLAIN_WEIGHT)) return false
  for (let i = all.length - 1; i >= 0; i--) shareWeight(all[i]!.refs)
  let marked = false
  for (const node of all) {
    let sum = 1
    for (const child of node.refs) sum += child.weight
    if (sum <= node.weight) node.weight = sum
    else {
      node.weight = 0
      marked = true
    }
  }
  return marked
}

const previsit = (node: Node, order: Node[]): void => {
  if (node.state !== NEW) return
  for (let j = node.refs.length - 1; j >= 0; j--) {
    const child = node.refs[j]!
    if (child.weight === 0) visit(child, order)
    else previsit(child, order)
  }
  node.state = PREVISITED
}

const place = (node: Node, order: Node[]): void => {
  if (node.state >= 0) return
  node.state = order.length
  order.push(node)
}

const visit = (node: Node, order: Node[]): void => {
  if (node.state >= 0 || node.state === VISITED) return
  if (node.weight === 0) previsit(node, order)
  const { refs } = node
  for (let j = refs.length - 1; j >= 0; j--) visit(refs[j]!, order)
  for (let j = refs.length - 1; j >= 0; j--) place(refs[j]!, order)
  node.state = VISITED
}

/**
 * The reference serialiser's allocation order (contracts/v2.md 3.5): file order is its reverse. It looks for heads of large
 * subtrees first, where any are `marked`.
 */
const allocate = (tops: readonly Node[], marked: boolean): readonly Node[] => {
  const order: Node[] = []
  for (const top of tops) {
    if (marked) previsit(top, order)
    visit(top, order)
  }
  for (const top of tops) place(top, order)
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
  const { all, tops } = collect(roots)
  const marked = capWeights(all, tops)
  const hasHashes = ({ weight }: Node): boolean => storedHashes && weight === 0
  const order = allocate(tops, marked)
  const count = order.length
  const refBytes = bytesFor(count)
  let dataBytes = 0
  for (const node of all) {
    const { cell } = node
    dataBytes += 2 + ((cell.bits + 7) >> 3) + cell.refCount * refBytes
    if (hasHashes(node)) dataBytes += (hashIndex(cell.levelMask, 3) + 1) * HASH_AND_DEPTH
  }
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
  for (let i = 0; i < tops.length; i++)
    writeUint(out, count - 1 - tops[i]!.state, head - (tops.length - i) * refBytes, refBytes)
  let at = cellsAt
  for (let i = count - 1; i >= 0; i--) {
    const node = order[i]!
    const { cell, refs } = node
    const size = (cell.bits + 7) >> 3
    const withHashes = hasHashes(node)
    out[at++] = cell.refCount + (cell.exotic ? 8 : 0) + (withHashes ? 16 : 0) + (cell.levelMask << 5)
    out[at++] = (cell.bits >> 3) + size
    if (withHashes) at = writeHashes(out, cell, at)
    const { bytes } = cell
    for (let from = cell.start, end = from + size; from < end; from++) out[at++] = bytes[from]!
    for (const { state } of refs) {
      writeUint(out, count - 1 - state, at, refBytes)
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
