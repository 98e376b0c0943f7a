import { TonlithError } from '../common/errors.ts'
import type { Cell } from './cell.ts'

/** A run of bits: `bytes` left-aligned, unused low bits of the last byte zero. */
export interface BitString {
  bytes: Buffer
  length: number
}

/** The two halves of a 64-bit number, the low one first. */
const halves = new Uint32Array(2)
const whole = new BigUint64Array(halves.buffer)

const underflow = (): TonlithError => new TonlithError('malformed', 'cell underflow')

/** A read position inside one cell. Every read checks its bounds and throws `malformed` on underflow. */
export class Slice {
  readonly cell: Cell
  private at: number
  private readonly end: number
  private nextRef = 0
  private readonly endRef: number

  constructor(cell: Cell, at = 0, end = cell.bits, nextRef = 0, endRef = cell.refCount) {
    this.cell = cell
    this.at = at
    this.end = end
    this.nextRef = nextRef
    this.endRef = endRef
  }

  get remainingBits(): number {
    return this.end - this.at
  }

  get remainingRefs(): number {
    return this.endRef - this.nextRef
  }

  /** Bits already read, from the cell's first bit. */
  get position(): number {
    return this.at
  }

  clone(): Slice {
    return new Slice(this.cell, this.at, this.end, this.nextRef, this.endRef)
  }

  private take(n: number): number {
    const at = this.at
    if (n < 0 || at + n > this.end) throw underflow()
    this.at = at + n
    return at
  }

  skip(bits: number): this {
    this.take(bits)
    return this
  }

  bit(): boolean {
    const at = this.take(1)
    return ((this.cell.bytes[this.cell.start + (at >> 3)]! >> (7 - (at & 7))) & 1) === 1
  }

  /** Unsigned integer of up to 48 bits. */
  uint(n: number): number {
    const at = this.take(n)
    if (n === 0) return 0
    const bytes = this.cell.bytes
    let i = this.cell.start + (at >> 3)
    const head = 8 - (at & 7)
    let v = bytes[i++]! & ((1 << head) - 1)
    if (n <= head) return v >> (head - n)
    let left = n - head
    for (; left >= 8; left -= 8) v = v * 256 + bytes[i++]!
    return left === 0 ? v : v * (1 << left) + (bytes[i]! >> (8 - left))
  }

  /** The same as `uint` without moving on. */
  preloadUint(n: number): number {
    const v = this.uint(n)
    this.at -= n
    return v
  }

  /** Signed (two's complement) integer of up to 48 bits. */
  int(n: number): number {
    const v = this.uint(n)
    return n > 0 && v >= 2 ** (n - 1) ? v - 2 ** n : v
  }

  /** Unsigned integer of any size. */
  uintBig(n: number): bigint {
    if (n <= 48) return BigInt(this.uint(n))
    if (n <= 64) {
      halves[1] = this.uint(n - 32)
      halves[0] = this.uint(32)
      return whole[0]!
    }
    const odd = n & 7
    const high = BigInt(this.uint(odd))
    const low = BigInt(`0x${this.bytes((n - odd) >> 3).toString('hex')}`)
    return (high << BigInt(n - odd)) | low
  }

  /** Signed (two's complement) integer of any size. */
  intBig(n: number): bigint {
    return BigInt.asIntN(n, this.uintBig(n))
  }

  /** The next `n` whole bytes; a view of the cell where the position allows, so it must not be written to. */
  bytes(n: number): Buffer {
    const at = this.take(n * 8)
    const source = this.cell.bytes
    const first = this.cell.start + (at >> 3)
    const shift = at & 7
    if (shift === 0) return Buffer.from(source.buffer as ArrayBuffer, source.byteOffset + first, n)
    const out = Buffer.allocUnsafe(n)
    for (let i = 0; i < n; i++) out[i] = (source[first + i]! << shift) | (source[first + i + 1]! >> (8 - shift))
    return out
  }

  /** The next `n` bits; a view of the cell only where they are whole bytes. */
  bits(n: number): BitString {
    const rest = n & 7
    if (rest === 0) return { bytes: this.bytes(n >> 3), length: n }
    const at = this.take(n)
    const source = this.cell.bytes
    const first = this.cell.start + (at >> 3)
    const shift = at & 7
    const size = (n + 7) >> 3
    const out = Buffer.allocUnsafe(size)
    for (let i = 0; i < size; i++) out[i] = (source[first + i]! << shift) | (source[first + i + 1]! >> (8 - shift))
    out[size - 1]! &= 0xff00 >> rest
    return { bytes: out, length: n }
  }

  /** Number of equal bits that come next, up to the end of the slice. */
  sameBits(bit: boolean): number {
    let n = 0
    const { bytes, start } = this.cell
    for (let at = this.at; at < this.end; at++, n++)
      if (((bytes[start + (at >> 3)]! >> (7 - (at & 7))) & 1) !== (bit ? 1 : 0)) break
    return n
  }

  ref(): Cell {
    if (this.nextRef >= this.endRef) throw underflow()
    return this.cell.ref(this.nextRef++)
  }

  skipRefs(n = 1): this {
    if (this.nextRef + n > this.endRef) throw underflow()
    this.nextRef += n
    return this
  }

  /** The next reference without moving on. */
  preloadRef(i = 0): Cell {
    if (this.nextRef + i >= this.endRef) throw underflow()
    return this.cell.ref(this.nextRef + i)
  }

  /** TL-B Maybe ^X. */
  maybeRef(): Cell | null {
    return this.bit() ? this.ref() : null
  }

  /** TL-B VarUInteger n (n > 1): a length in bytes, less than n, then that many bytes. */
  varUint(n: number): bigint {
    const size = this.uint(32 - Math.clz32(n - 1))
    if (size >= n) throw new TonlithError('malformed', 'variable-length integer too long')
    return this.uintBig(size * 8)
  }

  /** TL-B Grams (nano-units). */
  coins(): bigint {
    return this.varUint(16)
  }

  /** Throws `malformed` unless everything was read. */
  expectEnd(): void {
    if (this.remainingBits > 0 || this.remainingRefs > 0) throw new TonlithError('malformed', 'unread data in cell')
  }
}

/** Opens an ordinary cell for reading. Throws `malformed` on an exotic one (use `beginExotic` where one is expected). */
export const beginParse = (cell: Cell): Slice => {
  if (cell.exotic) throw new TonlithError('malformed', 'unexpected exotic cell')
  cell.touch()
  return new Slice(cell)
}

/** Opens any cell, exotic ones with their type byte in front. */
export const beginExotic = (cell: Cell): Slice => {
  cell.touch()
  return new Slice(cell)
}
