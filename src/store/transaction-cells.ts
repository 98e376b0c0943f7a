import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { BatchTransaction } from '../model/batch.ts'
import type { CellGroup } from '../model/packed-transactions.ts'
import { type TransactionKey, transactionKey } from '../model/trace-changes.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { serializeBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import type { CellPlace, TransactionRow } from './codecs.ts'
import { txKey, u32Key } from './keys.ts'
import { keysIn, under } from './scan.ts'
import type { Tables } from './tables.ts'

/**
 * The cells of transactions, kept as bags of cells. Those of one masterchain block are compressed together, some of them
 * at a time: neighbours have much in common (the same accounts, contracts and messages), a quarter to a half of the bytes is left.
 * A group stands under its first transaction. What is added to a masterchain block later has groups of its own.
 */

/** Bytes of bags after which a group is closed: more saves little and costs every reader. */
const GROUP_BYTES = 24 << 10
const COMPRESSION = { level: 3 }

const LENGTH_SIZE = 4

const bagOf = (cell: Cell): Buffer => {
  const bag = serializeBoc([cell], { crc: false })
  const length = Buffer.allocUnsafe(LENGTH_SIZE)
  length.writeUInt32BE(bag.length)
  return Buffer.concat([length, bag])
}

/** The cells of transactions of a masterchain block, ascending by their index in it, packed in groups. */
export const packCells = (transactions: readonly Pick<BatchTransaction, 'index' | 'cell'>[]): CellGroup[] => {
  const groups: CellGroup[] = []
  let [bags, size, first]: [Buffer[], number, number] = [[], 0, 0]
  transactions.forEach(({ index, cell }, i) => {
    const bag = bagOf(cell)
    if (bags.length === 0) first = index
    bags.push(bag)
    size += bag.length
    if (size < GROUP_BYTES && i < transactions.length - 1) return
    groups.push({ first, count: bags.length, packed: Bun.zstdCompressSync(Buffer.concat(bags), COMPRESSION) })
    ;[bags, size] = [[], 0]
  })
  return groups
}

/** Where readCell finds the cells of transactions of which packCells made `groups`. */
export const placesIn = (
  groups: readonly CellGroup[],
  transactions: readonly Pick<BatchTransaction, 'index'>[],
): CellPlace[] => {
  const places: CellPlace[] = []
  for (const { first, count } of groups) {
    for (let place = 0; place < count; place++)
      places.push({ place, distance: transactions[places.length]!.index - first })
  }
  return places
}

/** Writes the cells of transactions of a masterchain block, as packCells gave them. None of them may be stored. */
export const writeCells = (tables: Pick<Tables, 'tx_cells'>, mc_seqno: number, groups: readonly CellGroup[]): void => {
  for (const { first, packed } of groups) {
    const key = txKey(transactionKey(mc_seqno, first))
    tables.tx_cells.putSync(key, Buffer.from(packed.buffer, packed.byteOffset, packed.length))
  }
}

/** Removes what writeCells wrote for a masterchain block. */
export const removeCells = (tables: Pick<Tables, 'tx_cells'>, mc_seqno: number): void => {
  for (const key of keysIn(tables.tx_cells, under(u32Key(mc_seqno)), 'asc')) tables.tx_cells.removeSync(key)
}

const CACHED_BYTES = 32 << 20

/** Gives the memory of a group back at once: the next one is unpacked into it, not into pages that are new to the process. */
const released = ({ buffer }: Buffer): void => {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Cells of which is remembered that they were read. */
const SEEN = 1 << 14

/**
 * True for a hash that was asked about before, not too long ago. What is read once and never again is no use in a cache;
 * it would only drive out the rest, and all cells that live on are a burden to the collector.
 */
const createSeen = (): ((hash: Buffer) => boolean) => {
  const marks = new Uint32Array(SEEN)
  return (hash) => {
    const at = hash.readUInt32BE(0) % SEEN
    const mark = hash.readUInt32BE(4)
    const isKnown = marks[at] === mark
    marks[at] = mark
    return isKnown
  }
}

/**
 * What was read lately of one store: groups by the hash of what they are packed in (bytes that change have another name),
 * cells that were read more than once by their own hash.
 */
const createCaches = (bytes: number) => ({
  seen: createSeen(),
  groups: new LRUCache<bigint, Buffer>({
    maxSize: Math.floor(bytes / 2),
    sizeCalculation: (group) => group.length + 64,
    dispose: released,
  }),
  cells: new LRUCache<string, Cell>({ maxSize: Math.floor(bytes / 2) }),
})

type Caches = ReturnType<typeof createCaches>

const caches = new WeakMap<Tables['tx_cells'], Caches>()

/** Sets how many bytes of what is read of a store are kept unpacked; to be called before anything is read. */
export const limitCells = ({ tx_cells }: Pick<Tables, 'tx_cells'>, bytes: number): void =>
  void caches.set(tx_cells, createCaches(bytes))

const cachesFor = (table: Tables['tx_cells']): Caches => {
  const known = caches.get(table)
  if (known) return known
  const made = createCaches(CACHED_BYTES)
  caches.set(table, made)
  return made
}

/** Bytes of memory that a cell takes which was read from a bag, roughly. */
const memoryOf = (bag: Buffer): number => 512 + 4 * bag.length

const decompressed = (packed: Buffer): Buffer => {
  try {
    return Bun.zstdDecompressSync(packed)
  } catch (cause) {
    throw new TonlithError('malformed', 'index: a row of tx_cells is damaged', { cause })
  }
}

const unpacked = (groups: Caches['groups'], packed: Buffer): Buffer => {
  const name = Bun.hash.wyhash(packed) as bigint
  const known = groups.get(name)
  if (known) return known
  const group = decompressed(packed)
  groups.set(name, group)
  return group
}

const bagAt = (group: Buffer, place: number): Buffer => {
  let at = 0
  for (let i = 0; ; i++) {
    if (at + LENGTH_SIZE > group.length) throw new TonlithError('malformed', 'index: a row of tx_cells is cut short')
    const length = group.readUInt32BE(at)
    at += LENGTH_SIZE
    if (i === place) return Buffer.from(group.subarray(at, at + length))
    at += length
  }
}

/** Gives the cell of a stored transaction, by what its row tells. Throws `malformed`. */
export type CellReader = (key: TransactionKey, row: CellPlace & Pick<TransactionRow, 'hash'>) => Cell | undefined

/**
 * Reads cells of the store as it is at one moment: for use in one turn only, as the group that was read last is not
 * looked up again.
 *
 * What getBinaryFast gives is a buffer of LMDB's whose `length` was set by hand: native code needs a view of that part.
 */
export const cellReader = (tables: Pick<Tables, 'tx_cells'>): CellReader => {
  const { groups, cells, seen } = cachesFor(tables.tx_cells)
  let last: { first: TransactionKey; group: Buffer } | undefined
  const groupAt = (first: TransactionKey): Buffer | undefined => {
    if (last?.first === first && last.group.length > 0) return last.group
    const shared = tables.tx_cells.getBinaryFast(txKey(first))
    if (!shared) return undefined
    const group = unpacked(groups, shared.subarray(0, shared.length))
    last = { first, group }
    return group
  }
  return (key, { place, distance, hash }) => {
    const name = hash.toString('latin1')
    const known = cells.get(name)
    if (known) return known
    const group = groupAt(key - BigInt(distance))
    if (!group) return undefined
    const bag = bagAt(group, place)
    const cell = parseBocRoot(bag)
    if (seen(hash)) cells.set(name, cell, { size: memoryOf(bag) })
    return cell
  }
}

/** Reads one cell as cellReader does. */
export const readCell = (
  tables: Pick<Tables, 'tx_cells'>,
  key: TransactionKey,
  row: Parameters<CellReader>[1],
): Cell | undefined => cellReader(tables)(key, row)
