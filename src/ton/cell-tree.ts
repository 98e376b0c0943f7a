import { TonlithError } from '../common/errors.ts'
import { type Cell, MAX_DEPTH, MAX_REFS } from './cell.ts'

/** A cell weighs one and what is below it, up to this. */
const MAX_WEIGHT = 255
const FEW = 128
/** Room for more cells than this is given back after use. */
const MAX_KEPT = 1 << 12
const FEW_SLOT_BITS = 6
/** Nobody outside knows it, so nobody can make cells that share slots. */
const SPREAD = crypto.getRandomValues(new Int32Array(1))[0]! | 1

/**
 * Every different cell below some roots, as a table in which a cell is known by its place: those below a cell stand before
 * it. One table serves one bag after the other.
 */
export class CellTree {
  count = 0
  cells: Cell[] = []
  /** Places of the cells below each cell, four to a cell. */
  refs = new Int32Array(FEW * MAX_REFS)
  /** How many cells there are below each, cells that occur twice counted twice, and itself. */
  weights = new Uint8Array(FEW)
  /** 1 for cells that are referred to more than once. */
  shared = new Uint8Array(FEW)
  private heads = new Int32Array(FEW)
  /** Places by the hash of their cell, plus one; at least twice as many as there are cells. */
  private slots = new Int32Array(1 << FEW_SLOT_BITS)
  private slotBits = FEW_SLOT_BITS

  /** Forgets all cells. */
  clear(): void {
    this.cells = []
    this.count = 0
    this.slotBits = FEW_SLOT_BITS
    if (this.weights.length > MAX_KEPT) {
      this.resize(FEW)
      this.slots = new Int32Array(1 << FEW_SLOT_BITS)
    } else this.slots.fill(0, 0, 1 << FEW_SLOT_BITS)
  }

  /** The place of a cell, behind those of the cells below it where it has none yet. Throws `limit` beyond depth 1024. */
  add(cell: Cell, depth = 0): number {
    if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
    const head = cell.hashHead()
    const known = this.find(cell, head)
    if (known >= 0) {
      this.shared[known] = 1
      return known
    }
    const { refCount } = cell
    if (refCount === 0) return this.append(cell, head, 1, -1, -1, -1, -1)
    const a = this.add(cell.ref(0), depth + 1)
    const b = refCount > 1 ? this.add(cell.ref(1), depth + 1) : -1
    const c = refCount > 2 ? this.add(cell.ref(2), depth + 1) : -1
    const d = refCount > 3 ? this.add(cell.ref(3), depth + 1) : -1
    const { weights } = this
    let weight = 1 + weights[a]!
    if (b >= 0) weight += weights[b]!
    if (c >= 0) weight += weights[c]!
    if (d >= 0) weight += weights[d]!
    return this.append(cell, head, Math.min(MAX_WEIGHT, weight), a, b, c, d)
  }

  /** The place of a cell without references that is alone. */
  addAlone(cell: Cell): number {
    return this.append(cell, 0, 1, -1, -1, -1, -1)
  }

  private find(cell: Cell, head: number): number {
    const { slots, heads, cells } = this
    const last = (1 << this.slotBits) - 1
    for (let slot = this.slotOf(head); slots[slot] !== 0; slot = (slot + 1) & last) {
      const place = slots[slot]! - 1
      if (heads[place] !== head) continue
      const found = cells[place]!
      if (found === cell || found.hash().equals(cell.hash())) return place
    }
    return -1
  }

  private append(cell: Cell, head: number, weight: number, a: number, b: number, c: number, d: number): number {
    const place = this.count++
    if (place === this.weights.length) this.resize(place * 2)
    if (this.count * 2 > 1 << this.slotBits) this.growSlots()
    const { refs } = this
    const at = place * MAX_REFS
    this.cells.push(cell)
    this.heads[place] = head
    this.weights[place] = weight
    this.shared[place] = 0
    refs[at] = a
    refs[at + 1] = b
    refs[at + 2] = c
    refs[at + 3] = d
    this.occupy(place)
    return place
  }

  private slotOf(head: number): number {
    return Math.imul(head, SPREAD) >>> (32 - this.slotBits)
  }

  private occupy(place: number): void {
    const last = (1 << this.slotBits) - 1
    let slot = this.slotOf(this.heads[place]!)
    while (this.slots[slot] !== 0) slot = (slot + 1) & last
    this.slots[slot] = place + 1
  }

  private growSlots(): void {
    this.slotBits++
    const size = 1 << this.slotBits
    if (this.slots.length < size) this.slots = new Int32Array(size)
    else this.slots.fill(0, 0, size)
    for (let place = 0; place < this.count - 1; place++) this.occupy(place)
  }

  private resize(size: number): void {
    this.refs = resized(this.refs, size * MAX_REFS)
    this.weights = resized(this.weights, size)
    this.shared = resized(this.shared, size)
    this.heads = resized(this.heads, size)
  }
}

/** The same numbers in an array of another size. */
const resized = <T extends Int32Array | Uint8Array>(from: T, size: number): T => {
  const to = new (from.constructor as new (size: number) => T)(size)
  to.set(from.subarray(0, size))
  return to
}
