import { TonlithError } from '../common/errors.ts'
import { type BocHeader, type BocIndex, readBocHeader } from './boc-header.ts'
import {
  Cell,
  type CellType,
  deriveLevelMask,
  exoticType,
  HASH_BYTES,
  hashIndex,
  int32At,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  ORDINARY,
  PRUNED_BRANCH,
  prunedDepth,
  prunedHash,
  prunedHashAt,
} from './cell.ts'
import { type ChildHashes, computedHashes, computeHashes } from './cell-hash.ts'

/** Limits on what is read; all of them are checked before memory is spent. */
export interface BocLimits {
  maxBytes?: number
  maxCells?: number
  maxRoots?: number
}

const NO_DEPTHS = new Uint16Array(0)

const bad = (what: string): TonlithError => new TonlithError('malformed', `bag of cells: ${what}`)

/** Where the index says that the i-th cell ends, in bytes behind the start of the first. */
const indexed = (bytes: Uint8Array, { at, entryBytes, cacheBits }: BocIndex, i: number): number => {
  const from = at + i * entryBytes
  let end = 0
  for (let k = 0; k < entryBytes; k++) end = end * 256 + bytes[from + k]!
  return cacheBits ? Math.floor(end / 2) : end
}

/** Words of a cell in the table of a bag, and where they stand. */
const WORDS = 7
const DATA_AT = 0
const HEAD = 1
const REFS = 2
/** The cell's depth while the bag is read, then the place of its first hash. */
const SLOT = 6
/** Parts of the word HEAD: 10 bits of length, number of references, type, level mask, number of hashes that are known. */
const BITS = 1023
const REF_COUNT = 10
const TYPE = 13
const MASK = 16
const KNOWN = 19

const HIGHEST_LEVEL = 3

/** A parsed bag of cells as plain arrays, to cross to another thread, with the hashes that are known already. */
export interface BagParts {
  bytes: Uint8Array
  table: Uint32Array
  hashes: Uint8Array
  depths: Uint16Array
  /** Place of the cell that stands for the bag. */
  root: number
}

/**
 * The cells of one parsed BoC as one table: index first, hashes when asked. A cell's references all point forward,
 * which excludes cycles and lets children be computed before parents in one backward pass.
 */
class Bag implements ChildHashes {
  readonly bytes: Uint8Array
  readonly table: Uint32Array
  readonly cells: (BagCell | undefined)[]
  private readonly count: number
  private hashes: Uint8Array | undefined
  private depths: Uint16Array = NO_DEPTHS
  private cursor = 0

  constructor(bytes: Uint8Array, table: Uint32Array) {
    this.bytes = bytes
    this.count = table.length / WORDS
    this.table = table
    this.cells = new Array(this.count)
  }

  static read(bytes: Uint8Array, header: BocHeader): Bag {
    const bag = new Bag(bytes, new Uint32Array(header.count * WORDS))
    bag.readCells(header)
    bag.deriveMasks()
    return bag
  }

  static revived({ bytes, table, hashes, depths }: BagParts): Bag {
    const bag = new Bag(bytes, table)
    bag.hashes = hashes
    bag.depths = depths
    return bag
  }

  parts(): Omit<BagParts, 'root'> {
    const hashes = this.hashes ?? this.allocate()
    return { bytes: this.bytes, table: this.table, hashes, depths: this.depths }
  }

  private readCells({ count, refBytes, cellsAt, cellsEnd, index }: BocHeader): void {
    const { bytes, table } = this
    let at = cellsAt
    for (let i = 0, word = 0; i < count; i++, word += WORDS) {
      if (at + 2 > cellsEnd) throw bad('cell data ends early')
      const d1 = bytes[at]!
      const d2 = bytes[at + 1]!
      const refCount = d1 & 7
      if (refCount > 4) throw bad(refCount === 7 && d1 & 16 ? 'absent cells are not supported' : 'too many references')
      at += 2
      if (d1 & 16) at += (hashIndex(d1 >> 5, 3) + 1) * (HASH_BYTES + 2)
      const length = (d2 + 1) >> 1
      const end = at + length
      if (end + refCount * refBytes > cellsEnd) throw bad('cell data ends early')
      let bits = length * 8
      if (d2 & 1) {
        const last = bytes[end - 1]!
        if ((last & 127) === 0) throw bad('cell without completion tag')
        bits -= 32 - Math.clz32(last & -last)
      }
      const type = d1 & 8 ? exoticType(bits, bytes[at]!) : ORDINARY
      table[word + DATA_AT] = at
      table[word + HEAD] = bits | (refCount << REF_COUNT) | (type << TYPE) | ((d1 >> 5) << MASK)
      at = end
      for (let r = 0; r < refCount; r++) {
        let target = 0
        for (let k = 0; k < refBytes; k++) target = target * 256 + bytes[at++]!
        if (target <= i || target >= count) throw bad('reference does not point forward')
        table[word + REFS + r] = target
      }
      if (index && indexed(bytes, index, i) !== at - cellsAt) throw bad('index does not match the cells')
    }
    if (at !== cellsEnd) throw bad('unused bytes after the cells')
  }

  private deriveMasks(): void {
    const { table } = this
    for (let i = this.count - 1; i >= 0; i--) {
      const word = i * WORDS
      const head = table[word + HEAD]!
      const refCount = (head >> REF_COUNT) & 7
      let depth = 0
      let mask = 0
      for (let r = 0; r < refCount; r++) {
        const target = table[word + REFS + r]! * WORDS
        if (table[target + SLOT]! >= depth) depth = table[target + SLOT]! + 1
        mask |= (table[target + HEAD]! >> MASK) & 7
      }
      if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
      table[word + SLOT] = depth
      const type = ((head >> TYPE) & 7) as CellType
      if (type !== ORDINARY)
        mask = deriveLevelMask(type, this.bytes, table[word + DATA_AT]!, head & BITS, refCount, (r) =>
          this.mask(table[word + REFS + r]!),
        )
      if (mask !== ((head >> MASK) & 7)) throw bad('level mask mismatch')
    }
  }

  head(i: number): number {
    return this.table[i * WORDS + HEAD]!
  }

  private mask(i: number): number {
    return (this.head(i) >> MASK) & 7
  }

  private slot(i: number): number {
    return this.table[i * WORDS + SLOT]!
  }

  cell(i: number): BagCell {
    const known = this.cells[i]
    if (known) return known
    const made = new BagCell(this, i)
    this.cells[i] = made
    return made
  }

  private allocate(): Uint8Array {
    const { table } = this
    let total = 0
    for (let word = 0; word < table.length; word += WORDS) {
      const head = table[word + HEAD]!
      table[word + SLOT] = total
      total += computedHashes(((head >> TYPE) & 7) as CellType, (head >> MASK) & 7)
    }
    this.depths = new Uint16Array(total)
    this.hashes = new Uint8Array(total * HASH_BYTES)
    return this.hashes
  }

  /** Computes the hash of this level of a cell, and what it takes of the cells below that is still unknown. */
  private ensure(i: number, level: number): Uint8Array {
    const hashes = this.hashes ?? this.allocate()
    if (this.knows(i, level)) return hashes
    const { table } = this
    const word = i * WORDS
    const head = table[word + HEAD]!
    const refCount = (head >> REF_COUNT) & 7
    const type = ((head >> TYPE) & 7) as CellType
    const childLevel = type === MERKLE_PROOF || type === MERKLE_UPDATE ? Math.min(level + 1, HIGHEST_LEVEL) : level
    for (let r = 0; r < refCount; r++) this.ensure(table[word + REFS + r]!, childLevel)
    this.cursor = word
    const slot = table[word + SLOT]!
    const mask = (head >> MASK) & 7
    const wanted = computedHashes(type, mask, level)
    computeHashes(
      this,
      type,
      mask,
      this.bytes,
      table[word + DATA_AT]!,
      head & BITS,
      refCount,
      hashes,
      slot * HASH_BYTES,
      this.depths,
      slot,
      head >> KNOWN,
      wanted,
    )
    table[word + HEAD] = (head & ((1 << KNOWN) - 1)) | (wanted << KNOWN)
    return hashes
  }

  private knows(i: number, level: number): boolean {
    const head = this.head(i)
    const known = head >> KNOWN
    const mask = (head >> MASK) & 7
    return mask === 0 ? known > 0 : known >= computedHashes(((head >> TYPE) & 7) as CellType, mask, level)
  }

  /** Where the hash of a level stands: its place among the computed ones, or none when the cell's own data holds it. */
  private placed(i: number, level: number): number | undefined {
    const head = this.head(i)
    const mask = (head >> MASK) & 7
    const index = hashIndex(mask, level)
    if (((head >> TYPE) & 7) !== PRUNED_BRANCH) return this.slot(i) + index
    return index === hashIndex(mask, 3) ? this.slot(i) : undefined
  }

  hash(i: number, level: number): Buffer {
    const hashes = this.ensure(i, level)
    const place = this.placed(i, level)
    if (place === undefined) return prunedHash(this.cell(i), hashIndex(this.mask(i), level))
    return Buffer.from(hashes.buffer as ArrayBuffer, place * HASH_BYTES, HASH_BYTES)
  }

  hashHead(i: number): number {
    const hashes = this.ensure(i, HIGHEST_LEVEL)
    const place = this.placed(i, HIGHEST_LEVEL)!
    return int32At(hashes, place * HASH_BYTES)
  }

  depth(i: number, level: number): number {
    this.ensure(i, level)
    return this.knownDepth(i, level)
  }

  private knownDepth(i: number, level: number): number {
    const place = this.placed(i, level)
    return place === undefined ? prunedDepth(this.cell(i), hashIndex(this.mask(i), level)) : this.depths[place]!
  }

  childDepth(child: number, level: number): number {
    return this.knownDepth(this.table[this.cursor + REFS + child]!, level)
  }

  copyChildHash(child: number, level: number, out: Uint8Array, at: number): void {
    const target = this.table[this.cursor + REFS + child]!
    const place = this.placed(target, level)
    const source = place === undefined ? this.bytes : this.hashes!
    const from =
      place === undefined
        ? prunedHashAt(this.table[target * WORDS + DATA_AT]!, hashIndex(this.mask(target), level))
        : place * HASH_BYTES
    for (let i = 0; i < HASH_BYTES; i++) out[at + i] = source[from + i]!
  }
}

class BagCell extends Cell {
  readonly bag: Bag
  readonly index: number

  constructor(bag: Bag, i: number) {
    const head = bag.head(i)
    const type = ((head >> TYPE) & 7) as CellType
    super(bag.bytes, bag.table[i * WORDS + DATA_AT]!, head & BITS, (head >> REF_COUNT) & 7, type, (head >> MASK) & 7)
    this.bag = bag
    this.index = i
  }

  ref(i: number): Cell {
    if (i < 0 || i >= this.refCount) throw new TonlithError('malformed', 'cell has no such reference')
    return this.bag.cell(this.bag.table[this.index * WORDS + REFS + i]!)
  }

  hash(level = 3): Buffer {
    return this.bag.hash(this.index, level)
  }

  override hashHead(): number {
    return this.bag.hashHead(this.index)
  }

  depth(level = 3): number {
    return this.bag.depth(this.index, level)
  }
}

/**
 * Reads a bag of cells (all three magics, with or without index, cache bits, CRC32C and stored hashes) and gives its
 * roots. Nothing is hashed until asked. Throws `malformed` or `limit`. The bytes must not be changed afterwards.
 */
export const parseBoc = (bytes: Uint8Array, limits: BocLimits = {}): Cell[] => {
  const header = readBocHeader(bytes, limits)
  const bag = Bag.read(bytes, header)
  return header.roots.map((i) => bag.cell(i))
}

/** Reads a bag of cells that must have exactly one root. */
export const parseBocRoot = (bytes: Uint8Array, limits: BocLimits = {}): Cell => {
  const roots = parseBoc(bytes, limits)
  if (roots.length !== 1) throw bad('expected to have exactly one root')
  return roots[0]!
}

/** The bag that a cell was read from, and the cell's place in it; undefined for a cell that was built. */
export const bagOf = (cell: Cell): { bag: object; place: number } | undefined =>
  cell instanceof BagCell ? { bag: cell.bag, place: cell.index } : undefined

/** The bag of a cell that parseBoc gave. It must not be used any more once its arrays are transferred. Throws `internal`. */
export const partsOfBag = (cell: Cell): BagParts => {
  if (!(cell instanceof BagCell)) throw new TonlithError('internal', 'the cell is not of a bag')
  return { ...cell.bag.parts(), root: cell.index }
}

/** A cell of a bag of which partsOfBag gave the parts. They are believed: they must come from this program. */
export const reviveBag = (parts: BagParts): ((place: number) => Cell) => {
  const bag = Bag.revived(parts)
  return (place) => bag.cell(place)
}
