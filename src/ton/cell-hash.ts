import { TonlithError } from '../common/errors.ts'
import {
  type CellType,
  HASH_BYTES,
  hashIndex,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  ORDINARY,
  PRUNED_BRANCH,
} from './cell.ts'

const digest = new Uint8Array(HASH_BYTES)
const representation = new Uint8Array(2 + 128 + 4 * (2 + HASH_BYTES))
const prefixes = Array.from({ length: representation.length + 1 }, (_, n) => representation.subarray(0, n))

/** Where the hashes of a cell's children come from, level by level. */
export interface ChildHashes {
  copyChildHash(child: number, level: number, target: Uint8Array, at: number): void
  childDepth(child: number, level: number): number
}

/**
 * Number of hashes that are computed (not read from the data) for a cell, up to that of the given level: a pruned branch
 * has one of its own, behind those that it holds.
 */
export const computedHashes = (type: CellType, mask: number, level = 3): number => {
  const index = hashIndex(mask, level)
  if (type !== PRUNED_BRANCH) return index + 1
  return index === hashIndex(mask, 3) ? 1 : 0
}

/** computeHashes for an ordinary cell of level 0, as most are: its one hash and depth. */
const computePlainHash = (
  children: ChildHashes,
  bytes: Uint8Array,
  start: number,
  bits: number,
  refCount: number,
  hashes: Uint8Array,
  hashAt: number,
  depths: Uint16Array,
  depthAt: number,
): void => {
  const dataBytes = (bits + 7) >> 3
  representation[0] = refCount
  representation[1] = (bits >> 3) + dataBytes
  for (let i = 0; i < dataBytes; i++) representation[2 + i] = bytes[start + i]!
  let at = 2 + dataBytes
  let depth = 0
  for (let i = 0; i < refCount; i++) {
    const d = children.childDepth(i, 0)
    if (d >= depth) depth = d + 1
    representation[at++] = d >> 8
    representation[at++] = d & 255
  }
  if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
  for (let i = 0; i < refCount; i++, at += HASH_BYTES) children.copyChildHash(i, 0, representation, at)
  Bun.SHA256.hash(prefixes[at]!, digest)
  for (let i = 0; i < HASH_BYTES; i++) hashes[hashAt + i] = digest[i]!
  depths[depthAt] = depth
}

/**
 * The level-aware hashes and depths of one cell (TVM whitepaper 3.1.4 to 3.1.6; node: DataCell::create) from the
 * `first` on, `count` in all, written to `hashes` and `depths`, where those before stand already. Throws `limit` beyond depth
 * 1024 and `malformed` when a Merkle cell does not hold its child's hash.
 */
export const computeHashes = (
  children: ChildHashes,
  type: CellType,
  mask: number,
  bytes: Uint8Array,
  start: number,
  bits: number,
  refCount: number,
  hashes: Uint8Array,
  hashesAt: number,
  depths: Uint16Array,
  depthsAt: number,
  first: number,
  count: number,
): void => {
  if (type === ORDINARY && mask === 0) {
    computePlainHash(children, bytes, start, bits, refCount, hashes, hashesAt, depths, depthsAt)
    return
  }
  const merkle = type === MERKLE_PROOF || type === MERKLE_UPDATE ? 1 : 0
  const dataBytes = (bits + 7) >> 3
  const d1 = refCount + (type === ORDINARY ? 0 : 8)
  const d2 = (bits >> 3) + dataBytes
  let index = -1
  for (let level = type === PRUNED_BRANCH ? 3 : 0; index + 1 < count; level++) {
    if (level > 0 && type !== PRUNED_BRANCH && !(mask & (1 << (level - 1)))) continue
    if (++index < first) continue
    representation[0] = d1 + ((mask & ((1 << level) - 1)) << 5)
    representation[1] = d2
    let at = 2
    if (index === 0) {
      for (let i = 0; i < dataBytes; i++) representation[at + i] = bytes[start + i]!
      at += dataBytes
    } else {
      const previous = hashesAt + (index - 1) * HASH_BYTES
      for (let i = 0; i < HASH_BYTES; i++) representation[at + i] = hashes[previous + i]!
      at += HASH_BYTES
    }
    let depth = 0
    for (let i = 0; i < refCount; i++) {
      const d = children.childDepth(i, level + merkle)
      if (d >= depth) depth = d + 1
      representation[at++] = d >> 8
      representation[at++] = d & 255
    }
    if (depth > MAX_DEPTH) throw new TonlithError('limit', 'cell depth exceeds 1024')
    for (let i = 0; i < refCount; i++) {
      children.copyChildHash(i, level + merkle, representation, at)
      at += HASH_BYTES
    }
    Bun.SHA256.hash(prefixes[at]!, digest)
    const target = hashesAt + index * HASH_BYTES
    for (let i = 0; i < HASH_BYTES; i++) hashes[target + i] = digest[i]!
    depths[depthsAt + index] = depth
  }
  if (merkle) checkMerkle(children, bytes, start, refCount)
}

const child = new Uint8Array(HASH_BYTES)

const checkMerkle = (children: ChildHashes, bytes: Uint8Array, start: number, refCount: number): void => {
  for (let r = 0; r < refCount; r++) {
    children.copyChildHash(r, 0, child, 0)
    const hashAt = start + 1 + r * HASH_BYTES
    const depthAt = start + 1 + refCount * HASH_BYTES + r * 2
    let same = ((bytes[depthAt]! << 8) | bytes[depthAt + 1]!) === children.childDepth(r, 0)
    for (let i = 0; same && i < HASH_BYTES; i++) same = bytes[hashAt + i] === child[i]
    if (!same) throw new TonlithError('malformed', 'Merkle cell does not match its child')
  }
}
