import { TonlithError } from '../common/errors.ts'
import { type Builder, beginCell } from './builder.ts'
import type { Cell } from './cell.ts'
import { readLabel, setBit, storeLabel } from './dictionary-label.ts'
import { beginParse, type Slice } from './slice.ts'

/** How the augmentation of a HashmapAug (the Y of TL-B HashmapAug n X Y) is read, written and summed up. */
export interface Augmentation<Y> {
  load(slice: Slice): Y
  store(builder: Builder, extra: Y): unknown
  /** The value of a fork over the values of its left and right branch. */
  combine(left: Y, right: Y): Y
  /** The value of a dictionary without entries. */
  empty: Y
}

/** What kind of dictionary a node belongs to; plain dictionaries have no augmentation. */
export interface DictShape<Y> {
  keyBits: number
  aug: Augmentation<Y> | null
}

/**
 * A node of a dictionary whose label may still grow to the left: its cell is made when it is known where the label
 * starts. `key` holds the path to it, `end` bits long.
 */
export interface DictNode<Y> {
  key: Buffer
  end: number
  /** The cell that it was read from, with the bit at which that cell's label starts. */
  read: { cell: Cell; from: number } | null
  /** What follows the label: refs and augmentation of a fork, augmentation and value of a leaf. */
  store(builder: Builder): unknown
  extra(): Y | undefined
  /** Both branches of a fork, closed. */
  branches: readonly [Cell, Cell] | null
}

/** Reads the node of a cell whose label starts at bit `from`, on the path that `path` holds up to there. */
export const openNode = <Y>(cell: Cell, path: Buffer, from: number, { keyBits, aug }: DictShape<Y>): DictNode<Y> => {
  const key = Buffer.from(path)
  const slice = beginParse(cell)
  const end = from + readLabel(slice, keyBits - from, key, from)
  return {
    key,
    end,
    read: { cell, from },
    store: (builder) => builder.slice(slice),
    extra: () => aug?.load(slice.clone().skipRefs(end < keyBits ? 2 : 0)),
    branches: end < keyBits ? [slice.preloadRef(0), slice.preloadRef(1)] : null,
  }
}

/** Reads the left (bit 0) or right branch of a fork. */
export const openBranch = <Y>({ key, end, branches }: DictNode<Y>, bit: 0 | 1, shape: DictShape<Y>): DictNode<Y> => {
  if (!branches) throw new TonlithError('internal', 'a dictionary leaf has no branches')
  const path = Buffer.from(key)
  setBit(path, end, bit === 1)
  return openNode(branches[bit], path, end + 1, shape)
}

/** The cell of a node whose label starts at bit `from`; the one that it was read from when nothing changed. */
export const closeNode = <Y>({ key, end, read, store }: DictNode<Y>, from: number, keyBits: number): Cell => {
  if (read?.from === from) return read.cell
  const builder = beginCell()
  storeLabel(builder, key, from, end, keyBits - from)
  store(builder)
  return builder.endCell()
}

/** A fork at bit `at` of the key over two nodes; the other one alone when one of them is missing. */
export const joinNodes = <Y>(
  left: DictNode<Y> | null,
  right: DictNode<Y> | null,
  at: number,
  { keyBits, aug }: DictShape<Y>,
): DictNode<Y> | null => {
  if (!left || !right) return left ?? right
  const cells = [closeNode(left, at + 1, keyBits), closeNode(right, at + 1, keyBits)] as const
  const extra = aug ? aug.combine(left.extra() as Y, right.extra() as Y) : undefined
  return {
    key: left.key,
    end: at,
    read: null,
    store: (builder) => {
      builder.ref(cells[0]).ref(cells[1])
      aug?.store(builder, extra as Y)
    },
    extra: () => extra,
    branches: cells,
  }
}
