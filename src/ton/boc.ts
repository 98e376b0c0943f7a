import { TonlithError } from '../common/errors.ts'
import { type BocHeader, type BocIndex, readBocHeader } from './boc-header.ts'
import {
  Cell,
  type CellType,
  deriveLevelMask,
  exoticType,
  HASH_BYTES,
  hashIndex,
  MAX_DEPTH,
  ORDINARY,
  PRUNED_BRANCH,
  prunedDepth,
  prunedHash,
} from './cell.ts'
import { type ChildHashes, computedHashes, computeHashes } from './cell-hash.ts'

/** Limits on what is read; all of them are checked before memory is spent. */
export interface BocLimits {
  maxBytes?: number
  maxCells?: number
  maxRoots?: number
}

const bad = (what: string): TonlithError => new TonlithError('malformed', `bag of cells: ${what}`)

/** Where the index says that the i-th cell ends, in bytes behind the start of the first. */
const indexed = (bytes: Uint8Array, { at, entryBytes, cacheBits }: BocIndex, i: number): number => {
  const from = at + i * entryBytes
  let end = 0
  for (let k = 0; k < entryBytes; k++) end = end * 256 + bytes[from + k]!
  return cacheBits ? Math.floor(end / 2) : end
}

/**
 * The cells of one parsed BoC as typed arrays: index first, hashes when asked. A cell's references all point forward,
 * which excludes cycles and lets children be computed before parents in one backward pass.
 */
class Bag implements ChildHashes {
  readonly bytes: Uint8Array
  readonly dataAt: Uint32Array
  readonly bits: Uint16Array
  readonly types: Uint8Array
  readonly masks: Uint8Array
  readonly refCounts: Uint8Array
  readonly refs: Uint32Array
  readonly cells: (BagCell | undefined)[]
  private hashes: Uint8Array | undefined
  private depths = new Uint16Array(0)
  private slots = new Uint32Array(0)
  private done = new Uint8Array(0)
  private cursor = 0

  constructor(bytes: Uint8Array, header: BocHeader) {
    const { count } = header
    this.bytes = bytes
    this.dataAt = new Uint32Array(count)
    this.bits = new Uint16Array(count)
    this.types = new Uint8Array(count)
    this.masks = new Uint8Array(count)
    this.refCounts = new Uint8Array(count)
    this.refs = new Uint32Array(count * 4)
    this.cells = new Array(count)
    this.readCells(header)
    this.deriveMasks(header)
  }

  private readCells({ count, refBytes, cellsAt, cellsEnd, index }: BocHeader): void {
    const { bytes, dataAt, refs } = this
    let at = cellsAt
    for (let i = 0; i < count; i++) {
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
      dataAt[i] = at
      this.bits[i] = bits
      this.refCounts[i] = refCount
      this.masks[i] = d1 >> 5
      this.types[i] = d1 & 8 ? exoticType(bits, bytes[at]!) : ORDINARY
      at = end
      for (let r = 0; r < refCount; r++) {
        let target = 0
        for (let k = 0; k < refBytes; k++) target = target * 256 + bytes[at++]!
        if (target <= i || target >= count) throw bad('reference does not point forward')
        refs[i * 4 + r] = target
      }
      if (index && indexed(bytes, index, i) !== at - cellsAt) throw bad('index does not match the cells')
    }
    if (at !== cellsEnd) throw bad('unused bytes after the cells')
  }

  private deriveMasks({ count }: BocHeader): void {
    const { refs, masks, refCounts, types } = this
    const depth = new Uint16Array(count)
    let cell = 0
    const childMask = (r: number): number => masks[refs[cell * 4 + r]!]!
    for (cell = count - 1; cell >= 0; cell--) {
      const n = refCounts[cell]!
      let d = 0
      let mask = 0
      for (let r = 0, at = cell * 4; r < n; r++) {
        const target = refs[at + r]!
        if (depth[target]! >= d) d = depth[target]! + 1
        mask |= masks[target]!
      }
      if (d > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
      depth[cell] = d
      const type = types[cell] as CellType
      if (type !== ORDINARY)
        mask = deriveLevelMask(type, this.bytes, this.dataAt[cell]!, this.bits[cell]!, n, childMask)
      if (mask !== masks[cell]) throw bad('level mask mismatch')
    }
  }

  cell(i: number): BagCell {
    const known = this.cells[i]
    if (known) return known
    const made = new BagCell(this, i)
    this.cells[i] = made
    return made
  }

  private allocate(): Uint8Array {
    const count = this.masks.length
    this.slots = new Uint32Array(count)
    this.done = new Uint8Array(count)
    let total = 0
    for (let i = 0; i < count; i++) {
      this.slots[i] = total
      total += computedHashes(this.types[i] as CellType, this.masks[i]!)
    }
    this.depths = new Uint16Array(total)
    this.hashes = new Uint8Array(total * HASH_BYTES)
    return this.hashes
  }

  /** Computes the hashes of a cell and of all cells below it that are still unknown. */
  private ensure(root: number): Uint8Array {
    const hashes = this.hashes ?? this.allocate()
    const { done, refs, refCounts } = this
    if (done[root]) return hashes
    const stack = [root]
    while (stack.length > 0) {
      const i = stack[stack.length - 1]!
      if (done[i]) {
        stack.pop()
        continue
      }
      const n = refCounts[i]!
      let waits = false
      for (let r = 0; r < n; r++) {
        const target = refs[i * 4 + r]!
        if (!done[target]) {
          stack.push(target)
          waits = true
        }
      }
      if (waits) continue
      stack.pop()
      this.cursor = i
      const type = this.types[i] as CellType
      const slot = this.slots[i]!
      computeHashes(
        this,
        type,
        this.masks[i]!,
        this.bytes,
        this.dataAt[i]!,
        this.bits[i]!,
        n,
        hashes,
        slot * HASH_BYTES,
        this.depths,
        slot,
      )
      done[i] = 1
    }
    return hashes
  }

  hash(i: number, level: number): Buffer {
    const index = hashIndex(this.masks[i]!, level)
    const pruned = this.types[i] === PRUNED_BRANCH
    if (pruned && index !== hashIndex(this.masks[i]!, 3)) return prunedHash(this.cell(i), index)
    const hashes = this.ensure(i)
    return Buffer.from(hashes.buffer as ArrayBuffer, (this.slots[i]! + (pruned ? 0 : index)) * HASH_BYTES, HASH_BYTES)
  }

  depth(i: number, level: number): number {
    const index = hashIndex(this.masks[i]!, level)
    const pruned = this.types[i] === PRUNED_BRANCH
    if (pruned && index !== hashIndex(this.masks[i]!, 3)) return prunedDepth(this.cell(i), index)
    this.ensure(i)
    return this.depths[this.slots[i]! + (pruned ? 0 : index)]!
  }

  childDepth(child: number, level: number): number {
    const target = this.refs[this.cursor * 4 + child]!
    if (this.types[target] === PRUNED_BRANCH) return this.depth(target, level)
    return this.depths[this.slots[target]! + hashIndex(this.masks[target]!, level)]!
  }

  copyChildHash(child: number, level: number, out: Uint8Array, at: number): void {
    const target = this.refs[this.cursor * 4 + child]!
    if (this.types[target] === PRUNED_BRANCH) {
      out.set(this.hash(target, level), at)
      return
    }
    const from = (this.slots[target]! + hashIndex(this.masks[target]!, level)) * HASH_BYTES
    const hashes = this.hashes!
    for (let i = 0; i < HASH_BYTES; i++) out[at + i] = hashes[from + i]!
  }
}

class BagCell extends Cell {
  private readonly bag: Bag
  private readonly index: number

  constructor(bag: Bag, i: number) {
    super(bag.bytes, bag.dataAt[i]!, bag.bits[i]!, bag.refCounts[i]!, bag.types[i] as CellType, bag.masks[i]!)
    this.bag = bag
    this.index = i
  }

  ref(i: number): Cell {
    if (i < 0 || i >= this.refCount) throw new TonlithError('malformed', 'cell has no such reference')
    return this.bag.cell(this.bag.refs[this.index * 4 + i]!)
  }

  hash(level = 3): Buffer {
    return this.bag.hash(this.index, level)
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
  const bag = new Bag(bytes, header)
  return header.roots.map((i) => bag.cell(i))
}

/** Reads a bag of cells that must have exactly one root. */
export const parseBocRoot = (bytes: Uint8Array, limits: BocLimits = {}): Cell => {
  const roots = parseBoc(bytes, limits)
  if (roots.length !== 1) throw bad('expected to have exactly one root')
  return roots[0]!
}
