import { TonlithError } from '../common/errors.ts'
import type { BatchAccount } from '../model/batch.ts'
import type { Cell } from '../ton/cell.ts'
import { makeCell } from '../ton/data-cell.ts'
import { childDepth, isPruned } from '../ton/partial-tree.ts'
import { extraCurrencyDict } from '../ton/tlb/currency.ts'
import { type CellRow, decodeCell, encodeCell } from './cell-rows.ts'

/**
 * The cells of codes and of what the latest account states hold (data, extra currencies), each once, whichever accounts hold it: a block's
 * Merkle update prunes what the shard's state had before, be it of the same account or of another one. A row counts who
 * refers to it (cells that hold it, accounts whose data it is, the list of codes) and goes when nobody does. So a change
 * writes the cells that are new and removes those that went, whatever the size of the data around them.
 */
export interface CellTable {
  get(key: Buffer): Buffer | undefined
  putSync(key: Buffer, value: Buffer): unknown
  removeSync(key: Buffer): unknown
}

/** Bytes of a cell's hash that are its key. Whoever reads a tree compares the hash of its root, and so of all of it. */
const KEY_SIZE = 16

const keyOf = (hash: Buffer): Buffer => hash.subarray(0, KEY_SIZE)

const lost = (key: Buffer): TonlithError =>
  new TonlithError('internal', `the index lacks the cell ${key.toString('hex')}`)

/** Cells that are known by their representation hash, each with everything below it. */
export interface KnownCells {
  holds(hash: Buffer): boolean
  /** The whole tree. Throws `internal`. */
  read(hash: Buffer): Cell | undefined
}

/** The cells of the table as it is now. */
export const knownCells = (table: Pick<CellTable, 'get'>): KnownCells => ({
  holds: (hash) => holdsCell(table, hash),
  read: (hash) => readTree(table, hash),
})

/** True when the table has the cell with this representation hash, and so everything below it. */
const holdsCell = (table: Pick<CellTable, 'get'>, hash: Buffer): boolean => {
  const bytes = table.get(keyOf(hash))
  return bytes !== undefined && decodeCell(bytes).known
}

const NEW = -1
const NOTHING: Omit<CellRow, 'count'> = {
  known: false,
  bits: 0,
  exotic: false,
  data: new Uint8Array(0),
  start: 0,
  refs: [],
}

/** What one batch changes, row by row. */
interface Change {
  key: Buffer
  row: CellRow
  /** The count as stored; -1 where the row as a whole must be written. */
  before: number
}

/**
 * Adds trees (of which pruned branches stand for cells that the table has, or that another added tree shows) and takes
 * away one reference from each of the `removed` roots (representation hashes); roots that are `noted` are referred to and
 * not known: they are kept as soon as some tree shows them. Throws `internal` when a cell is not there that should be.
 */
export const changeTrees = (
  table: CellTable,
  {
    added = [],
    noted = [],
    removed = [],
  }: { added?: Iterable<Cell>; noted?: Iterable<Buffer>; removed?: Iterable<Buffer> },
): void => {
  const changes = new Map<string, Change>()
  const waiting: Buffer[] = []

  const load = (key: Buffer): Change | undefined => {
    const name = key.toString('latin1')
    const known = changes.get(name)
    if (known) return known
    const bytes = table.get(key)
    if (!bytes) return undefined
    const row = decodeCell(bytes)
    const change = { key, row, before: row.count }
    changes.set(name, change)
    return change
  }

  const add = (cell: Cell, depth: number): void => {
    const key = keyOf(cell.hash(depth))
    const held = load(key)
    if (held?.row.known) {
      held.row.count++
      return
    }
    if (isPruned(cell, depth)) {
      waiting.push(key)
      return
    }
    const below = childDepth(cell, depth)
    const refs = Array.from({ length: cell.refCount }, (_, i) => keyOf(cell.ref(i).hash(below)))
    const { bits, exotic, bytes: data, start } = cell
    const row = { count: (held?.row.count ?? 0) + 1, known: true, bits, exotic, data, start, refs }
    changes.set(key.toString('latin1'), { key, row, before: NEW })
    for (let i = 0; i < cell.refCount; i++) add(cell.ref(i), below)
  }

  const note = (key: Buffer): void => {
    const held = load(key)
    if (held) held.row.count++
    else changes.set(key.toString('latin1'), { key, row: { ...NOTHING, count: 1 }, before: NEW })
  }

  const take = (root: Buffer): void => {
    const stack = [root]
    for (let key = stack.pop(); key; key = stack.pop()) {
      const held = load(key)
      if (!held || held.row.count === 0) throw lost(key)
      if (--held.row.count === 0) stack.push(...held.row.refs)
    }
  }

  for (const tree of added) add(tree, 0)
  for (const key of waiting) {
    const held = load(key)
    if (!held?.row.known) throw lost(key)
    held.row.count++
  }
  for (const hash of noted) note(keyOf(hash))
  for (const hash of removed) take(keyOf(hash))
  for (const { key, row, before } of changes.values()) {
    if (row.count === before) continue
    if (row.count === 0) table.removeSync(key)
    else table.putSync(key, encodeCell(row))
  }
}

/** The trees that the table keeps for an account: its data and its dictionary of extra currencies. */
type KeptTrees = Pick<BatchAccount, 'data_hash' | 'extra_currencies'>

/**
 * Writes the cells of accounts whose latest state changes from `before` (null for a new account) to `after`, completed as
 * by indexer/accounts.ts (with `data` null and a `data_hash` where the cells are nowhere to be had), and of `codes` that the index has not seen yet. Call it once for a batch, in the transaction that
 * writes it. Throws `internal` when a cell is not there that should be.
 */
export const changeAccountCells = (
  table: CellTable,
  accounts: readonly { before: KeptTrees | null; after: KeptTrees & Pick<BatchAccount, 'data'> }[],
  codes: readonly Cell[],
): void => {
  const added = [...codes]
  const noted: Buffer[] = []
  const removed: Buffer[] = []
  for (const { before, after } of accounts) {
    const extra = extraCurrencyDict(after.extra_currencies)
    const oldExtra = extraCurrencyDict(before?.extra_currencies ?? [])
    if (after.data) added.push(after.data)
    else if (after.data_hash) noted.push(after.data_hash)
    if (extra) added.push(extra)
    if (before?.data_hash) removed.push(before.data_hash)
    if (oldExtra) removed.push(oldExtra.hash())
  }
  changeTrees(table, { added, noted, removed })
}

/** The tree with this root (representation hash), whole; undefined when the table does not hold it. Throws `internal`. */
export const readTree = (table: Pick<CellTable, 'get'>, hash: Buffer): Cell | undefined => {
  const made = new Map<string, Cell>()
  const build = (key: Buffer, { known, bits, exotic, data, start, refs }: CellRow): Cell => {
    if (!known) throw lost(key)
    const children = refs.map((ref) => child(ref))
    const cell = makeCell(data.subarray(start, start + ((bits + 7) >> 3)), bits, children, exotic)
    made.set(key.toString('latin1'), cell)
    return cell
  }
  const child = (key: Buffer): Cell => {
    const known = made.get(key.toString('latin1'))
    if (known) return known
    const bytes = table.get(key)
    if (!bytes) throw lost(key)
    return build(key, decodeCell(bytes))
  }
  const key = keyOf(hash)
  const bytes = table.get(key)
  const row = bytes && decodeCell(bytes)
  if (!row?.known) return undefined
  const root = build(key, row)
  if (!root.hash().equals(hash)) throw lost(key)
  return root
}
