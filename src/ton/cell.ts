import { TonlithError } from '../common/errors.ts'

/** Cell kinds (TVM whitepaper 3.1.7; node's CellTraits::SpecialType). The numbers are the first data byte on the wire. */
export const ORDINARY = 0
export const PRUNED_BRANCH = 1
export const LIBRARY = 2
export const MERKLE_PROOF = 3
export const MERKLE_UPDATE = 4
export type CellType =
  | typeof ORDINARY
  | typeof PRUNED_BRANCH
  | typeof LIBRARY
  | typeof MERKLE_PROOF
  | typeof MERKLE_UPDATE

export const MAX_BITS = 1023
export const MAX_REFS = 4
export const MAX_DEPTH = 1024
export const HASH_BYTES = 32

/** Number of significant levels below `level` in a level mask. */
export const hashIndex = (mask: number, level: number): number => {
  const m = mask & ((1 << level) - 1)
  return (m & 1) + ((m >> 1) & 1) + ((m >> 2) & 1)
}

/**
 * An immutable cell: up to 1023 data bits and four references. `bytes` from `start` on holds the data bits; a last
 * partial byte carries the completion tag (a 1 bit, then zeros), as on the wire. Cells of a parsed bag read their
 * references and hashes from the bag on demand; built cells own theirs.
 */
export abstract class Cell {
  readonly bytes: Uint8Array
  readonly start: number
  readonly bits: number
  readonly refCount: number
  readonly type: CellType
  /** Bit i is set when the cell's hashes of level i and i + 1 differ (node: LevelMask). */
  readonly levelMask: number

  constructor(bytes: Uint8Array, start: number, bits: number, refCount: number, type: CellType, levelMask: number) {
    this.bytes = bytes
    this.start = start
    this.bits = bits
    this.refCount = refCount
    this.type = type
    this.levelMask = levelMask
  }

  /** The i-th child. Throws `malformed` when there is none. */
  abstract ref(i: number): Cell
  /** Hash of the given level (0 to 3, default 3 = representation hash), 32 bytes that must not be written to. */
  abstract hash(level?: number): Buffer
  /** Depth of the given level (default 3). */
  abstract depth(level?: number): number

  /** The first 32 bits of the representation hash as a signed number, for tables. */
  hashHead(): number {
    return int32At(this.hash(), 0)
  }

  get exotic(): boolean {
    return this.type !== ORDINARY
  }

  get level(): number {
    return this.levelMask & 4 ? 3 : this.levelMask & 2 ? 2 : this.levelMask
  }

  /** Called when a parser opens the cell; cells that record their use override it. */
  touch(): void {}
}

/** What a cell's own data and its children's masks make of its level mask. Throws `malformed` for a broken exotic cell. */
export const deriveLevelMask = (
  type: CellType,
  bytes: Uint8Array,
  start: number,
  bits: number,
  refCount: number,
  childMask: (i: number) => number,
): number => {
  switch (type) {
    case ORDINARY: {
      let mask = 0
      for (let i = 0; i < refCount; i++) mask |= childMask(i)
      return mask
    }
    case PRUNED_BRANCH: {
      const mask = bytes[start + 1]!
      const valid = bits >= 16 && refCount === 0 && mask >= 1 && mask <= 7
      if (!valid || bits !== 16 + hashIndex(mask, 3) * 272)
        throw new TonlithError('malformed', 'bad pruned branch cell')
      return mask
    }
    case LIBRARY:
      if (bits !== 264 || refCount !== 0) throw new TonlithError('malformed', 'bad library reference cell')
      return 0
    case MERKLE_PROOF:
      if (bits !== 280 || refCount !== 1) throw new TonlithError('malformed', 'bad Merkle proof cell')
      return childMask(0) >> 1
    case MERKLE_UPDATE:
      if (bits !== 552 || refCount !== 2) throw new TonlithError('malformed', 'bad Merkle update cell')
      return (childMask(0) | childMask(1)) >> 1
  }
}

/** The cell type that the first data byte of an exotic cell names. Throws `malformed` for an unknown one. */
export const exoticType = (bits: number, firstByte: number): CellType => {
  if (bits < 8 || firstByte < PRUNED_BRANCH || firstByte > MERKLE_UPDATE)
    throw new TonlithError('malformed', 'unknown exotic cell type')
  return firstByte as CellType
}

/** Where the hash of one of its pruned levels stands in a pruned branch whose data begin at `start`. */
export const prunedHashAt = (start: number, index: number): number => start + 2 + index * HASH_BYTES

/** A signed 32-bit number, big-endian. */
export const int32At = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!

/** Hash of a pruned branch at one of its pruned levels, read from the cell's data. */
export const prunedHash = (cell: Cell, index: number): Buffer => {
  const at = cell.bytes.byteOffset + prunedHashAt(cell.start, index)
  return Buffer.from(cell.bytes.buffer as ArrayBuffer, at, HASH_BYTES)
}

/** Depth of a pruned branch at one of its pruned levels, read from the cell's data. */
export const prunedDepth = (cell: Cell, index: number): number => {
  const at = cell.start + 2 + hashIndex(cell.levelMask, 3) * HASH_BYTES + index * 2
  return (cell.bytes[at]! << 8) | cell.bytes[at + 1]!
}
