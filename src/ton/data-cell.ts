import { TonlithError } from '../common/errors.ts'
import {
  Cell,
  type CellType,
  deriveLevelMask,
  exoticType,
  HASH_BYTES,
  hashIndex,
  int32At,
  MAX_BITS,
  MAX_REFS,
  ORDINARY,
  PRUNED_BRANCH,
  prunedDepth,
  prunedHash,
} from './cell.ts'
import { type ChildHashes, computedHashes, computeHashes } from './cell-hash.ts'

const NO_DEPTHS = new Uint16Array(0)

class DataCell extends Cell implements ChildHashes {
  private readonly children: readonly Cell[]
  private hashes: Buffer | undefined
  private depths = NO_DEPTHS

  constructor(bytes: Uint8Array, bits: number, children: readonly Cell[], type: CellType, levelMask: number) {
    super(bytes, 0, bits, children.length, type, levelMask)
    this.children = children
  }

  ref(i: number): Cell {
    const child = this.children[i]
    if (!child) throw new TonlithError('malformed', 'cell has no such reference')
    return child
  }

  private computed(): Buffer {
    if (this.hashes) return this.hashes
    const n = computedHashes(this.type, this.levelMask)
    const hashes = Buffer.alloc(n * HASH_BYTES)
    this.depths = new Uint16Array(n)
    for (const child of this.children)
      if (child instanceof DataCell) child.computed()
      else child.hash()
    const { type, levelMask, bytes, bits, refCount, depths } = this
    computeHashes(this, type, levelMask, bytes, 0, bits, refCount, hashes, 0, depths, 0, 0, n)
    this.hashes = hashes
    return hashes
  }

  hash(level = 3): Buffer {
    const index = hashIndex(this.levelMask, level)
    if (this.type === PRUNED_BRANCH && index !== hashIndex(this.levelMask, 3)) return prunedHash(this, index)
    const hashes = this.computed()
    if (hashes.length === HASH_BYTES) return hashes
    return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
  }

  override hashHead(): number {
    const hashes = this.computed()
    return int32At(hashes, hashes.length - HASH_BYTES)
  }

  depth(level = 3): number {
    const index = hashIndex(this.levelMask, level)
    if (this.type === PRUNED_BRANCH && index !== hashIndex(this.levelMask, 3)) return prunedDepth(this, index)
    this.computed()
    return this.depths[this.type === PRUNED_BRANCH ? 0 : index]!
  }

  copyChildHash(i: number, level: number, target: Uint8Array, at: number): void {
    const child = this.children[i]!
    if (!(child instanceof DataCell) || child.type === PRUNED_BRANCH) {
      target.set(child.hash(level), at)
      return
    }
    const hashes = child.computed()
    const from = hashIndex(child.levelMask, level) * HASH_BYTES
    for (let k = 0; k < HASH_BYTES; k++) target[at + k] = hashes[from + k]!
  }

  childDepth(i: number, level: number): number {
    return this.children[i]!.depth(level)
  }
}

/**
 * A cell of its own bytes. `bytes` holds `bits` data bits, the last partial byte with its completion tag; it must not
 * be changed afterwards. For an exotic cell the first data byte names the type. Throws `malformed` when it breaks a rule.
 */
export const makeCell = (bytes: Uint8Array, bits: number, refs: readonly Cell[] = [], exotic = false): Cell => {
  if (bits > MAX_BITS || refs.length > MAX_REFS) throw new TonlithError('limit', 'cell overflow')
  const type = exotic ? exoticType(bits, bytes[0]!) : ORDINARY
  const mask = deriveLevelMask(type, bytes, 0, bits, refs.length, (i) => refs[i]!.levelMask)
  return new DataCell(bytes, bits, refs, type, mask)
}

/** The same data with other references. The type stays; masks and hashes follow from the new children. */
export const withRefs = (cell: Cell, refs: readonly Cell[]): Cell =>
  makeCell(cell.bytes.subarray(cell.start, cell.start + ((cell.bits + 7) >> 3)), cell.bits, refs, cell.exotic)
