import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import {
  Cell,
  type CellType,
  exoticType,
  HASH_BYTES,
  hashIndex,
  ORDINARY,
  PRUNED_BRANCH,
  prunedDepth,
  prunedHash,
} from '../ton/cell.ts'
import { computedHashes } from '../ton/cell-hash.ts'
import { childDepth, isPruned } from '../ton/partial-tree.ts'
import { buildSplitState } from '../ton/tlb/shard-state.ts'
import type { Table } from './environment.ts'

/**
 * The cells of states, each under a number: the numbers go up as cells are added, so that a block's new cells stand side
 * by side. Nothing is changed or removed. A row: the two descriptor bytes of the cell as in a bag of cells (with its level
 * mask), the data, each of its hashes with the depth (the first one only for a pruned branch, whose others are data), the
 * numbers of its children.
 */
type CellTable = Pick<Table, 'get' | 'getBinaryFast' | 'getKeys' | 'putSync'>

const ID_BYTES = 6
const HASH_ROW = HASH_BYTES + 2
const EXOTIC = 8

const keyOf = (id: number): Buffer => {
  const key = Buffer.allocUnsafe(ID_BYTES)
  key.writeUIntBE(id, 0, ID_BYTES)
  return key
}

const lost = (id: number): TonlithError => new TonlithError('malformed', `the chain lacks cell ${id} of a state`)

/** The levels at which a cell with this mask has different hashes. */
const levelsOf = (type: CellType, mask: number, depth: number): number[] =>
  type === PRUNED_BRANCH ? [depth] : [0, 1, 2, 3].filter((level) => level === 0 || mask & (1 << (level - 1)))

/**
 * The original of a cell of a partial tree (ton/partial-tree.ts) as a row. What the tree has pruned is not in its mask.
 */
const encodeCell = (cell: Cell, depth: number, refs: readonly number[]): Buffer => {
  const { type, bits, bytes, start } = cell
  const size = (bits + 7) >> 3
  const mask = cell.levelMask & ((1 << depth) - 1)
  const levels = levelsOf(type, mask, depth)
  const row = Buffer.allocUnsafe(2 + size + levels.length * HASH_ROW + refs.length * ID_BYTES)
  row[0] = refs.length | (type === ORDINARY ? 0 : EXOTIC) | (mask << 5)
  row[1] = (bits >> 3) + size
  row.set(bytes.subarray(start, start + size), 2)
  let at = 2 + size
  for (const level of levels) {
    row.set(cell.hash(level), at)
    row.writeUInt16BE(cell.depth(level), at + HASH_BYTES)
    at += HASH_ROW
  }
  for (const ref of refs) at = row.writeUIntBE(ref, at, ID_BYTES)
  return row
}

const sizeOf = (row: Buffer): number => (row[1]! + 1) >> 1

/** The numbers of a row's children, which stand at its end. */
const refsOf = (row: Buffer): number[] => {
  const count = row[0]! & 7
  return Array.from({ length: count }, (_, i) => row.readUIntBE(row.length - (count - i) * ID_BYTES, ID_BYTES))
}

/** A cell of a state whose children are read when they are asked for. */
class StoredCell extends Cell {
  private readonly row: Buffer
  private readonly open: (id: number) => Cell

  constructor(row: Buffer, open: (id: number) => Cell) {
    const [d1, d2] = [row[0]!, row[1]!]
    const size = sizeOf(row)
    const last = row[1 + size]!
    const bits = d2 & 1 ? size * 8 - (32 - Math.clz32(last & -last)) : size * 8
    super(row, 2, bits, d1 & 7, d1 & EXOTIC ? exoticType(bits, row[2]!) : ORDINARY, d1 >> 5)
    this.row = row
    this.open = open
  }

  ref(i: number): Cell {
    if (i < 0 || i >= this.refCount) throw new TonlithError('malformed', 'cell has no such reference')
    return this.open(this.row.readUIntBE(this.row.length - (this.refCount - i) * ID_BYTES, ID_BYTES))
  }

  private hashAt(index: number): number {
    return 2 + sizeOf(this.row) + (this.type === PRUNED_BRANCH ? 0 : index) * HASH_ROW
  }

  hash(level = 3): Buffer {
    const index = hashIndex(this.levelMask, level)
    if (this.type === PRUNED_BRANCH && index !== hashIndex(this.levelMask, 3)) return prunedHash(this, index)
    const at = this.hashAt(index)
    return this.row.subarray(at, at + HASH_BYTES)
  }

  depth(level = 3): number {
    const index = hashIndex(this.levelMask, level)
    if (this.type === PRUNED_BRANCH && index !== hashIndex(this.levelMask, 3)) return prunedDepth(this, index)
    return this.row.readUInt16BE(this.hashAt(index) + HASH_BYTES)
  }
}

const isRow = (row: Buffer): boolean => {
  if (row.length < 2) return false
  const [d1, size] = [row[0]!, sizeOf(row)]
  if (row.length < 2 + size + HASH_ROW || (d1 & 7) > 4) return false
  const type = d1 & EXOTIC ? row[2]! : ORDINARY
  const hashes = computedHashes(type as CellType, d1 >> 5)
  return row.length === 2 + size + hashes * HASH_ROW + (d1 & 7) * ID_BYTES
}

const readRow = (table: Pick<CellTable, 'get'>, id: number): Buffer => {
  const row = table.get(keyOf(id))
  if (!row || !isRow(row)) throw lost(id)
  return row
}

/** Opens cells of states by their number; what was opened lately is kept, up to `kept` cells. Throws `malformed`. */
export const createStateReader = (table: Pick<CellTable, 'get'>, kept: number): ((id: number) => Cell) => {
  const cells = new LRUCache<number, Cell>({ max: kept })
  const open = (id: number): Cell => {
    const known = cells.get(id)
    if (known) return known
    const cell = new StoredCell(readRow(table, id), open)
    cells.set(id, cell)
    return cell
  }
  return open
}

const textOf = (hash: Buffer): string => hash.toString('latin1')

/** Gives the cells that a tree adds numbers, and writes them; `known` has those of cells that are there. */
const addTree = (table: CellTable, root: Cell, known: Map<string, number>): number => {
  let next = nextId(table)
  const add = (cell: Cell, depth: number): number => {
    const hash = textOf(cell.hash(depth))
    const there = known.get(hash)
    if (there !== undefined) return there
    if (isPruned(cell, depth))
      throw new TonlithError('proof', 'Merkle update refers to a cell that the old state lacks')
    const below = childDepth(cell, depth)
    const refs = Array.from({ length: cell.refCount }, (_, i) => add(cell.ref(i), below))
    table.putSync(keyOf(next), encodeCell(cell, depth, refs), { append: true })
    known.set(hash, next)
    return next++
  }
  return add(root, 0)
}

const nextId = (table: Pick<CellTable, 'getKeys'>): number => {
  for (const last of table.getKeys({ reverse: true, limit: 1 })) return last.readUIntBE(0, ID_BYTES) + 1
  return 0
}

/** Adds a state as a whole, in the transaction that is under way. Gives the number of its root. */
export const addWholeState = (table: CellTable, root: Cell): number => addTree(table, root, new Map())

/**
 * Adds what a Merkle update (TL-B !merkle_update) makes new of a state, in the transaction that is under way, and gives
 * the number of the new root. Looks at no more than what the update shows.
 * @param old the number of the root that it starts from; two (left, right) where it starts from both (TL-B split_state)
 * @throws TonlithError `proof` when it starts from another state or refers to cells that the old one lacks
 */
export const addNextState = (table: CellTable, old: readonly number[], update: Cell): number => {
  const known = new Map<string, number>()
  const seen = new Set<string>()
  const collect = (part: Cell, id: number, depth: number): void => {
    const form = `${depth}${textOf(part.hash())}`
    if (seen.has(form)) return
    seen.add(form)
    known.set(textOf(part.hash(depth)), id)
    if (isPruned(part, depth) || part.refCount === 0) return
    const refs = refsOf(readRow(table, id))
    const below = childDepth(part, depth)
    for (let i = 0; i < part.refCount; i++) collect(part.ref(i), refs[i]!, below)
  }
  const before = update.ref(0)
  const open = createStateReader(table, old.length)
  const [left, right] = old.map((id) => open(id)) as [Cell, Cell | undefined]
  if (!(right ? buildSplitState(left, right) : left).hash().equals(before.hash(0)))
    throw new TonlithError('proof', 'Merkle update starts from another state')
  if (!right) collect(before, old[0]!, 0)
  else if (!isPruned(before, 0)) old.forEach((id, i) => void collect(before.ref(i), id, 0))
  return addTree(table, update.ref(1), known)
}
