import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { readLabel } from '../../../src/ton/dictionary-label.ts'
import type { Augmentation } from '../../../src/ton/dictionary-node.ts'
import { beginParse, Slice } from '../../../src/ton/slice.ts'
import type { AugDict } from '../../../src/ton/tlb/aug-dict.ts'
import { ChainFault } from './fault.ts'

/** What an augmented dictionary says of its leaves. */
export interface Leaves<Y> {
  keyBits: number
  aug: Augmentation<Y>
  /** The augmentation that a leaf must have; the slice stands behind the one that it has. */
  extraOf(value: Slice, key: Buffer): Y
  /** Subtrees that were found right; for dictionaries that live on from block to block. */
  right?: WeakMap<Cell, Y>
  what: string
}

const textOf = <Y>({ store }: Augmentation<Y>, extra: Y): string => {
  const builder = beginCell()
  store(builder, extra)
  return builder.endCell().hash().toString('hex')
}

/**
 * Checks every augmentation of a HashmapAug from its leaves up, and gives that of the root.
 * Throws ChainFault where one is wrong.
 */
export const checkedExtra = <Y>(root: Cell | Slice, leaves: Leaves<Y>): Y => {
  const { keyBits, aug, extraOf, right, what } = leaves
  const key = Buffer.alloc((keyBits + 7) >> 3)
  const isSame = (found: Y, wanted: Y): boolean => textOf(aug, found) === textOf(aug, wanted)

  const visit = (node: Cell | Slice, from: number): Y => {
    const known = node instanceof Slice ? undefined : right?.get(node)
    if (known !== undefined) return known
    const slice = node instanceof Slice ? node.clone() : beginParse(node)
    const at = from + readLabel(slice, keyBits - from, key, from)
    let wanted: Y
    if (at === keyBits) {
      const found = aug.load(slice)
      wanted = extraOf(slice, Buffer.from(key))
      if (!isSame(found, wanted)) throw new ChainFault(`${what}: wrong augmentation of leaf ${key.toString('hex')}`)
    } else {
      const [left, other] = [slice.ref(), slice.ref()]
      const bit = 128 >> (at & 7)
      key[at >> 3]! &= ~bit
      const one = visit(left, at + 1)
      key[at >> 3]! |= bit
      wanted = aug.combine(one, visit(other, at + 1))
      if (!isSame(aug.load(slice), wanted)) throw new ChainFault(`${what}: wrong augmentation of a fork`)
    }
    if (!(node instanceof Slice)) right?.set(node, wanted)
    return wanted
  }
  return visit(root, 0)
}

/** The same for HashmapAugE. */
export const checkAugDict = <Y>({ root, extra }: AugDict<Y>, leaves: Leaves<Y>): void => {
  const wanted = root ? checkedExtra(root, leaves) : leaves.aug.empty
  if (textOf(leaves.aug, extra) !== textOf(leaves.aug, wanted)) throw new ChainFault(`${leaves.what}: wrong total`)
}
