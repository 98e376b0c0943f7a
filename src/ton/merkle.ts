import { TonlithError } from '../common/errors.ts'
import { Cell, HASH_BYTES, hashIndex, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from './cell.ts'
import { makeCell, withRefs } from './data-cell.ts'
import { childDepth, isPruned, isWhole } from './partial-tree.ts'

const keyOf = (hash: Buffer): string => hash.toString('latin1')

/** Refuses a Merkle proof cell that names another hash or depth than its child has. */
const checkNamed = (cell: Cell, child: Cell): void => {
  const { bytes, start } = cell
  const hash = child.hash(0)
  let same = ((bytes[start + 1 + HASH_BYTES]! << 8) | bytes[start + 2 + HASH_BYTES]!) === child.depth(0)
  for (let i = 0; same && i < HASH_BYTES; i++) same = bytes[start + 1 + i] === hash[i]
  if (!same) throw new TonlithError('malformed', 'Merkle cell does not match its child')
}

/**
 * The virtual root of a Merkle proof cell (TL-B !merkle_proof): its hash(0) is the hash of the cell that it proves, and
 * so down the tree. Only these hashes are computed: those that the cells have as parts of the proof prove nothing more.
 * Throws `proof` when the cell is no Merkle proof or does not hold what it names.
 */
export const openProof = (cell: Cell): Cell => {
  if (cell.type !== MERKLE_PROOF) throw new TonlithError('proof', 'expected a Merkle proof')
  const root = cell.ref(0)
  try {
    checkNamed(cell, root)
  } catch (cause) {
    throw new TonlithError('proof', 'broken Merkle proof', { cause })
  }
  return root
}

/** Opens a Merkle proof and checks that it proves the given root hash. Throws `proof`. */
export const openProofOf = (cell: Cell, rootHash: Buffer): Cell => {
  const root = openProof(cell)
  if (!root.hash(0).equals(rootHash)) throw new TonlithError('proof', 'Merkle proof is about another root')
  return root
}

class RecordedCell extends Cell {
  private readonly inner: Cell
  private readonly used: Set<string>

  constructor(inner: Cell, used: Set<string>) {
    super(inner.bytes, inner.start, inner.bits, inner.refCount, inner.type, inner.levelMask)
    this.inner = inner
    this.used = used
  }

  ref(i: number): Cell {
    return new RecordedCell(this.inner.ref(i), this.used)
  }

  hash(level?: number): Buffer {
    return this.inner.hash(level)
  }

  depth(level?: number): number {
    return this.inner.depth(level)
  }

  override touch(): void {
    this.used.add(keyOf(this.inner.hash()))
  }
}

/** A stand-in for the pruned cell: its hashes and depths at every level below the one that prunes it. */
export const prunedBranch = (cell: Cell, depth: number): Cell => {
  const mask = (cell.levelMask & ((1 << depth) - 1)) | (1 << depth)
  const count = hashIndex(mask, 3)
  const data = new Uint8Array(2 + count * (HASH_BYTES + 2))
  data[0] = PRUNED_BRANCH
  data[1] = mask
  let i = 0
  for (let level = 0; level < 3; level++) {
    if (!(mask & (1 << level))) continue
    data.set(cell.hash(level), 2 + i * HASH_BYTES)
    const at = 2 + count * HASH_BYTES + i * 2
    data[at] = cell.depth(level) >> 8
    data[at + 1] = cell.depth(level) & 255
    i++
  }
  return makeCell(data, data.length * 8, [], true)
}

/**
 * Records which cells below `root` a reader opens, and proves them. `root` is handed to the reader; `proof()` then gives
 * a Merkle proof cell of the original root in which every cell that was not opened is pruned (node: MerkleProofBuilder).
 * Cells inside of three Merkle cells are kept whole: a pruned branch has three levels and no more.
 */
export const recordProof = (root: Cell): { root: Cell; proof: () => Cell } => {
  const used = new Set<string>()
  return { root: new RecordedCell(root, used), proof: () => proveUsed(root, used) }
}

/** Cells inside of so many Merkle cells cannot be pruned. */
export const MAX_MERKLE_DEPTH = 3

const proveUsed = (root: Cell, used: ReadonlySet<string>): Cell => {
  const made = new Map<string, Cell>()
  const prune = (cell: Cell, depth: number): Cell => {
    if (cell.refCount === 0 || depth >= MAX_MERKLE_DEPTH) return cell
    const hash = keyOf(cell.hash())
    if (!used.has(hash)) return prunedBranch(cell, depth)
    const key = `${depth}${hash}`
    const known = made.get(key)
    if (known) return known
    const refs: Cell[] = []
    for (let i = 0; i < cell.refCount; i++) refs.push(prune(cell.ref(i), childDepth(cell, depth)))
    const result = withRefs(cell, refs)
    made.set(key, result)
    return result
  }
  return merkleProof(prune(root, 0))
}

/** A Merkle proof cell over a (partly pruned) tree. */
export const merkleProof = (root: Cell): Cell => {
  const data = new Uint8Array(35)
  data[0] = MERKLE_PROOF
  data.set(root.hash(0), 1)
  data[33] = root.depth(0) >> 8
  data[34] = root.depth(0) & 255
  return makeCell(data, 280, [root], true)
}

/** Old and new root hash that a Merkle update names (TL-B !merkle_update). Throws `malformed` for another cell. */
export const updateHashes = (update: Cell): { old: Buffer; new: Buffer } => {
  if (update.type !== MERKLE_UPDATE) throw new TonlithError('malformed', 'expected a Merkle update')
  const at = update.start + 1
  return {
    old: Buffer.from(update.bytes.subarray(at, at + HASH_BYTES)),
    new: Buffer.from(update.bytes.subarray(at + HASH_BYTES, at + 2 * HASH_BYTES)),
  }
}

/**
 * Applies a Merkle update to the state that it starts from and gives the new state; unchanged subtrees are shared with
 * the old one. Throws `proof` when the update does not start from `old`, prunes a cell that `old` lacks, or does not end
 * in the hash that it names.
 */
export const applyUpdate = (old: Cell, update: Cell): Cell => {
  const names = updateHashes(update)
  if (!old.hash().equals(names.old)) throw new TonlithError('proof', 'Merkle update starts from another state')
  const known = new Map<string, Cell>()
  const walked = new Set<string>()
  const collect = (real: Cell, part: Cell, depth: number): void => {
    const form = `${depth}${keyOf(part.hash())}`
    if (walked.has(form)) return
    walked.add(form)
    known.set(keyOf(part.hash(depth)), real)
    if (isPruned(part, depth)) return
    if (part.refCount !== real.refCount) throw new TonlithError('proof', 'Merkle update does not fit the old state')
    for (let i = 0; i < part.refCount; i++) collect(real.ref(i), part.ref(i), childDepth(part, depth))
  }
  collect(old, update.ref(0), 0)
  const made = new Map<string, Cell>()
  const rebuild = (part: Cell, depth: number): Cell => {
    if (isWhole(part, depth)) return part
    const key = keyOf(part.hash(depth))
    if (isPruned(part, depth)) {
      const real = known.get(key)
      if (!real) throw new TonlithError('proof', 'Merkle update refers to a cell that the old state lacks')
      return real
    }
    const done = made.get(key)
    if (done) return done
    const refs: Cell[] = []
    for (let i = 0; i < part.refCount; i++) refs.push(rebuild(part.ref(i), childDepth(part, depth)))
    const result = withRefs(part, refs)
    made.set(key, result)
    return result
  }
  const result = rebuild(update.ref(1), 0)
  if (!result.hash().equals(names.new)) throw new TonlithError('proof', 'Merkle update ends in another state')
  return result
}
