import { TonlithError } from '../common/errors.ts'
import type { Cell } from './cell.ts'
import { bitAt, divergence } from './dictionary-label.ts'
import {
  type Augmentation,
  closeNode,
  type DictNode,
  type DictShape,
  joinNodes,
  openBranch,
  openNode,
} from './dictionary-node.ts'
import type { AugDict } from './tlb/aug-dict.ts'

const rootNode = <Y>(root: Cell | null, shape: DictShape<Y>): DictNode<Y> | null =>
  root && openNode(root, Buffer.alloc((shape.keyBits + 7) >> 3), 0, shape)

/** The part of the dictionary whose keys start with the first `bits` bits of `prefix`. */
const cut = <Y>(root: Cell | null, prefix: Buffer, bits: number, shape: DictShape<Y>): DictNode<Y> | null => {
  if (bits > shape.keyBits || prefix.length * 8 < bits) throw new TonlithError('internal', 'bad dictionary prefix')
  let node = rootNode(root, shape)
  let at = 0
  while (node) {
    const end = Math.min(node.end, bits)
    if (divergence(node.key, prefix, at, end) < end) return null
    if (node.end >= bits) return node
    at = node.end + 1
    node = openBranch(node, bitAt(prefix, node.end) as 0 | 1, shape)
  }
  return null
}

/** Both nodes as one; they agree in the bits before `at` and have no key in common. */
const merge = <Y>(a: DictNode<Y>, b: DictNode<Y>, at: number, shape: DictShape<Y>): DictNode<Y> | null => {
  const shorter = Math.min(a.end, b.end)
  const fork = divergence(a.key, b.key, at, shorter)
  if (fork === shape.keyBits) throw new TonlithError('internal', 'two dictionaries with one key')
  if (fork < shorter) return bitAt(a.key, fork) === 0 ? joinNodes(a, b, fork, shape) : joinNodes(b, a, fork, shape)
  const side = (node: DictNode<Y>, bit: 0 | 1): DictNode<Y> | null => {
    if (node.end === fork) return openBranch(node, bit, shape)
    return bitAt(node.key, fork) === bit ? node : null
  }
  const half = (bit: 0 | 1): DictNode<Y> | null => {
    const [inA, inB] = [side(a, bit), side(b, bit)]
    return inA && inB ? merge(inA, inB, fork + 1, shape) : (inA ?? inB)
  }
  return joinNodes(half(0), half(1), fork, shape)
}

const merged = <Y>(one: Cell | null, other: Cell | null, shape: DictShape<Y>): DictNode<Y> | null => {
  const [a, b] = [rootNode(one, shape), rootNode(other, shape)]
  return a && b ? merge(a, b, 0, shape) : (a ?? b)
}

const augDictOf = <Y>(node: DictNode<Y> | null, keyBits: number, aug: Augmentation<Y>): AugDict<Y> =>
  node ? { root: closeNode(node, 0, keyBits), extra: node.extra() as Y } : { root: null, extra: aug.empty }

/**
 * The entries of a HashmapAugE n X Y whose keys start with the first `bits` bits of `prefix`, as a dictionary of the same
 * kind: what a shard keeps at its split. Throws `malformed`.
 */
export const cutAugDict = <Y>(
  { root }: AugDict<Y>,
  prefix: Buffer,
  bits: number,
  keyBits: number,
  aug: Augmentation<Y>,
): AugDict<Y> => augDictOf(cut(root, prefix, bits, { keyBits, aug }), keyBits, aug)

/**
 * All entries of two HashmapAugE n X Y that have no key in common: what a merge of shards makes of theirs. Throws
 * `internal` for a common key, `malformed` for a broken dictionary.
 */
export const mergeAugDicts = <Y>(
  one: AugDict<Y>,
  other: AugDict<Y>,
  keyBits: number,
  aug: Augmentation<Y>,
): AugDict<Y> => augDictOf(merged(one.root, other.root, { keyBits, aug }), keyBits, aug)

/** The root of a Hashmap n X (null for none) with the entries of two that have no key in common. Throws `internal`, `malformed`. */
export const mergeDicts = (one: Cell | null, other: Cell | null, keyBits: number): Cell | null => {
  const node = merged<never>(one, other, { keyBits, aug: null })
  return node && closeNode(node, 0, keyBits)
}

/** The root of a Hashmap n X (null for none) with the entries whose keys start with the first `bits` bits of `prefix`. */
export const cutDict = (root: Cell | null, prefix: Buffer, bits: number, keyBits: number): Cell | null => {
  const node = cut<never>(root, prefix, bits, { keyBits, aug: null })
  return node && closeNode(node, 0, keyBits)
}
