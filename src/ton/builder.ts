import { TonlithError } from '../common/errors.ts'
import { type Cell, MAX_BITS, MAX_REFS } from './cell.ts'
import { makeCell } from './data-cell.ts'
import type { BitString, Slice } from './slice.ts'

/** Bits that are written at a time: a number holds them exactly. */
const PART_BITS = 48

/** Collects bits and references and ends in a cell. Throws `limit` on overflow of the cell or of a value's width. */
export class Builder {
  private readonly buffer = new Uint8Array(128)
  private length = 0
  private readonly children: Cell[] = []

  get bitLength(): number {
    return this.length
  }

  private reserve(n: number): void {
    if (this.length + n > MAX_BITS) throw new TonlithError('limit', 'cell overflow')
  }

  bit(value: boolean): this {
    this.reserve(1)
    if (value) this.buffer[this.length >> 3]! |= 128 >> (this.length & 7)
    this.length++
    return this
  }

  /** Writes at most PART_BITS bits, whose value is known to fit. */
  private part(value: number, bits: number): void {
    let left = bits
    while (left > 0) {
      const room = 8 - (this.length & 7)
      const n = Math.min(room, left)
      const below = 2 ** (left - n)
      const byte = Math.floor(value / below)
      this.buffer[this.length >> 3]! |= byte << (room - n)
      value -= byte * below
      this.length += n
      left -= n
    }
  }

  uint(value: number | bigint, bits: number): this {
    if (typeof value === 'number' && bits <= PART_BITS && value >= 0 && value < 2 ** bits && Number.isInteger(value)) {
      this.reserve(bits)
      this.part(value, bits)
      return this
    }
    const v = BigInt(value)
    if (v < 0n || v >> BigInt(bits)) throw new TonlithError('limit', `value does not fit ${bits} bits`)
    this.reserve(bits)
    for (let left = bits; left > 0; ) {
      const n = Math.min(PART_BITS, left)
      left -= n
      this.part(Number(BigInt.asUintN(n, v >> BigInt(left))), n)
    }
    return this
  }

  int(value: number | bigint, bits: number): this {
    const v = BigInt(value)
    if (BigInt.asIntN(bits, v) !== v) throw new TonlithError('limit', `value does not fit ${bits} bits`)
    return this.uint(BigInt.asUintN(bits, v), bits)
  }

  bytes(value: Uint8Array): this {
    this.reserve(value.length * 8)
    if ((this.length & 7) === 0) this.buffer.set(value, this.length >> 3)
    else {
      const shift = this.length & 7
      let at = this.length >> 3
      for (const b of value) {
        this.buffer[at++]! |= b >> shift
        this.buffer[at]! |= (b << (8 - shift)) & 255
      }
    }
    this.length += value.length * 8
    return this
  }

  bits(value: BitString): this {
    const whole = value.length >> 3
    const rest = value.length & 7
    this.bytes(value.bytes.subarray(0, whole))
    return rest ? this.uint(value.bytes[whole]! >> (8 - rest), rest) : this
  }

  ref(cell: Cell): this {
    if (this.children.length >= MAX_REFS) throw new TonlithError('limit', 'cell overflow')
    this.children.push(cell)
    return this
  }

  maybeRef(cell: Cell | null | undefined): this {
    return cell ? this.bit(true).ref(cell) : this.bit(false)
  }

  /** TL-B VarUInteger n (n > 1). */
  varUint(value: bigint, n: number): this {
    const size = value === 0n ? 0 : (value.toString(16).length + 1) >> 1
    if (size >= n) throw new TonlithError('limit', `value does not fit VarUInteger ${n}`)
    return this.uint(size, 32 - Math.clz32(n - 1)).uint(value, size * 8)
  }

  /** TL-B Grams (nano-units). */
  coins(value: bigint): this {
    return this.varUint(value, 16)
  }

  /** Everything that is left of a slice; the slice does not move. */
  slice(source: Slice): this {
    const rest = source.clone()
    this.bits(rest.bits(rest.remainingBits))
    while (rest.remainingRefs > 0) this.ref(rest.ref())
    return this
  }

  endCell(exotic = false): Cell {
    const size = (this.length + 7) >> 3
    const bytes = this.buffer.slice(0, size)
    if (this.length & 7) bytes[size - 1]! |= 128 >> (this.length & 7)
    return makeCell(bytes, this.length, this.children.slice(), exotic)
  }
}

export const beginCell = (): Builder => new Builder()

/** What is left of a slice, as a cell of its own; the slice does not move. */
export const sliceToCell = (slice: Slice): Cell => {
  const rest = slice.clone()
  const { bytes, length } = rest.bits(rest.remainingBits)
  if (length & 7) bytes[length >> 3]! |= 128 >> (length & 7)
  const refs: Cell[] = []
  while (rest.remainingRefs > 0) refs.push(rest.ref())
  return makeCell(bytes, length, refs)
}
