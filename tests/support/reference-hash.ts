import { createHash } from 'node:crypto'
import { type Cell, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../../src/ton/cell.ts'

/** Hash and depth of one level. */
export interface LevelHash {
  hash: Buffer
  depth: number
}

const uint16 = (value: number): Buffer => Buffer.of(value >> 8, value & 255)

const known = new WeakMap<Cell, Map<number, LevelHash>>()

/**
 * The hash and depth of a cell at a level, straight from the definition (TVM whitepaper 3.1.4 to 3.1.6): slow, and
 * independent of the implementation under test.
 */
export const referenceHash = (cell: Cell, level: number): LevelHash => {
  const levels = known.get(cell) ?? new Map<number, LevelHash>()
  known.set(cell, levels)
  const result = levels.get(level) ?? compute(cell, level)
  levels.set(level, result)
  return result
}

const compute = (cell: Cell, level: number): LevelHash => {
  const data = Buffer.from(cell.bytes.subarray(cell.start, cell.start + ((cell.bits + 7) >> 3)))
  const mask = maskOf(cell)
  const significant = [1, 2, 3].filter((l) => l <= level && (mask >> (l - 1)) & 1)
  const effective = significant.at(-1) ?? 0
  if (cell.type === PRUNED_BRANCH && effective < highest(mask)) {
    const index = significant.length
    const stored = (data.length - 2) / 34
    const hash = data.subarray(2 + index * 32, 34 + index * 32)
    return { hash, depth: data.readUInt16BE(2 + stored * 32 + index * 2) }
  }
  const childLevel = effective + (cell.type === MERKLE_PROOF || cell.type === MERKLE_UPDATE ? 1 : 0)
  const children = Array.from({ length: cell.refCount }, (_, i) => referenceHash(cell.ref(i), Math.min(childLevel, 3)))
  const first = effective === 0 || cell.type === PRUNED_BRANCH
  const body = first ? data : referenceHash(cell, previous(mask, effective)).hash
  const descriptors = Buffer.of(
    cell.refCount + (cell.exotic ? 8 : 0) + 32 * (mask & ((1 << effective) - 1)),
    (cell.bits >> 3) + ((cell.bits + 7) >> 3),
  )
  const parts = [descriptors, body, ...children.map((c) => uint16(c.depth)), ...children.map((c) => c.hash)]
  return {
    hash: createHash('sha256').update(Buffer.concat(parts)).digest(),
    depth: children.length === 0 ? 0 : 1 + Math.max(...children.map((c) => c.depth)),
  }
}

const highest = (mask: number): number => (mask & 4 ? 3 : mask & 2 ? 2 : mask & 1)

const previous = (mask: number, level: number): number => highest(mask & ((1 << (level - 1)) - 1))

const masks = new WeakMap<Cell, number>()

/** The level mask that follows from the cell's own data and its children. */
export const maskOf = (cell: Cell): number => {
  const mask = masks.get(cell) ?? computeMask(cell)
  masks.set(cell, mask)
  return mask
}

const computeMask = (cell: Cell): number => {
  if (cell.type === PRUNED_BRANCH) return cell.bytes[cell.start + 1]!
  let mask = 0
  for (let i = 0; i < cell.refCount; i++) mask |= maskOf(cell.ref(i))
  return cell.type === MERKLE_PROOF || cell.type === MERKLE_UPDATE ? mask >> 1 : mask
}
