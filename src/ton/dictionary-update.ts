import { TonlithError } from '../common/errors.ts'
import type { Builder } from './builder.ts'
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

/** One entry to set: the key as left-aligned bits (unused bits zero), and what writes its value. */
export interface DictItem {
  key: Buffer
  store: (builder: Builder) => unknown
}

/** An entry to set, or with `store` null one to delete; to delete what is not there changes nothing. */
export interface DictChange {
  key: Buffer
  store: ((builder: Builder) => unknown) | null
}

/** An entry of an augmented dictionary to set, with the augmentation of its leaf, or one to delete. */
export type AugDictChange<Y> = (DictItem & { extra: Y }) | { key: Buffer; store: null }

type Change<Y> = DictChange & { extra?: Y }

const leaf = <Y>({ key, store, extra }: Change<Y>, { keyBits, aug }: DictShape<Y>): DictNode<Y> => ({
  key,
  end: keyBits,
  read: null,
  store: (builder) => {
    aug?.store(builder, extra as Y)
    store?.(builder)
  },
  extra: () => extra,
  branches: null,
})

/** The first of the sorted changes from `low` to `high`, equal before bit `at`, whose bit there is 1; `high` for none. */
const splitAt = <Y>(changes: readonly Change<Y>[], low: number, high: number, at: number): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >> 1
    if (bitAt(changes[middle]!.key, at) === 1) to = middle
    else from = middle + 1
  }
  return from
}

/** The node over the sorted items from `low` to `high`, which all agree in the bits before `at`. */
const build = <Y>(
  items: readonly Change<Y>[],
  low: number,
  high: number,
  at: number,
  shape: DictShape<Y>,
): DictNode<Y> | null => {
  if (low === high) return null
  const first = items[low]!
  if (high - low === 1) return first.store ? leaf(first, shape) : null
  const fork = divergence(first.key, items[high - 1]!.key, at, shape.keyBits)
  if (fork === shape.keyBits) throw new TonlithError('internal', 'two changes of one dictionary key')
  const middle = splitAt(items, low, high, fork)
  return joinNodes(build(items, low, middle, fork + 1, shape), build(items, middle, high, fork + 1, shape), fork, shape)
}

/** A node with the sorted changes from `low` to `high` applied; they agree with its path in the bits before `at`. */
const apply = <Y>(
  node: DictNode<Y>,
  changes: readonly Change<Y>[],
  low: number,
  high: number,
  at: number,
  shape: DictShape<Y>,
): DictNode<Y> | null => {
  if (low === high) return node
  const { key, end } = node
  const first = divergence(changes[low]!.key, key, at, end)
  const fork = high - low === 1 ? first : Math.min(first, divergence(changes[high - 1]!.key, key, at, end))
  if (fork === shape.keyBits) {
    if (high - low > 1) throw new TonlithError('internal', 'two changes of one dictionary key')
    return build(changes, low, high, at, shape)
  }
  const middle = splitAt(changes, low, high, fork)
  if (fork < end) {
    const right = bitAt(key, fork) === 1
    const here = right
      ? apply(node, changes, middle, high, fork + 1, shape)
      : apply(node, changes, low, middle, fork + 1, shape)
    const there = right ? build(changes, low, middle, fork + 1, shape) : build(changes, middle, high, fork + 1, shape)
    return right ? joinNodes(there, here, fork, shape) : joinNodes(here, there, fork, shape)
  }
  const [left, right] = [openBranch(node, 0, shape), openBranch(node, 1, shape)]
  const newLeft = apply(left, changes, low, middle, fork + 1, shape)
  const newRight = apply(right, changes, middle, high, fork + 1, shape)
  return newLeft === left && newRight === right ? node : joinNodes(newLeft, newRight, fork, shape)
}

const changed = <Y>(root: Cell | null, changes: readonly Change<Y>[], shape: DictShape<Y>): DictNode<Y> | null => {
  const bytes = (shape.keyBits + 7) >> 3
  for (const { key } of changes) if (key.length !== bytes) throw new TonlithError('internal', 'bad dictionary key')
  const sorted = changes.toSorted((a, b) => Buffer.compare(a.key, b.key))
  return root
    ? apply(openNode(root, Buffer.alloc(bytes), 0, shape), sorted, 0, sorted.length, 0, shape)
    : build(sorted, 0, sorted.length, 0, shape)
}

/**
 * The root of a Hashmap n X (null for none) after these changes in any order: the same cells as if it was built from
 * scratch, and as the node makes; subtrees without a change are the cells that they were. Throws `internal` for two
 * changes of one key, `malformed` for a broken dictionary, and what the values' writers throw.
 */
export const updateDict = (root: Cell | null, changes: readonly DictChange[], keyBits: number): Cell | null => {
  const node = changed(root, changes, { keyBits, aug: null })
  return node && closeNode(node, 0, keyBits)
}

/** The same for a HashmapAugE n X Y: its root and the augmentation of all of it. */
export const updateAugDict = <Y>(
  { root }: AugDict<Y>,
  changes: readonly AugDictChange<Y>[],
  keyBits: number,
  aug: Augmentation<Y>,
): AugDict<Y> => {
  const node = changed<Y>(root, changes, { keyBits, aug })
  return node ? { root: closeNode(node, 0, keyBits), extra: node.extra() as Y } : { root: null, extra: aug.empty }
}
