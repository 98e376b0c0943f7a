import type { Cell } from './cell.ts'
import type { Augmentation } from './dictionary-node.ts'
import { type AugDictChange, type DictItem, updateAugDict, updateDict } from './dictionary-update.ts'
import type { AugDict } from './tlb/aug-dict.ts'

/** The root of a Hashmap n X over these entries in any order, null for none (TL-B HashmapE n X is then hme_empty). */
export const buildDict = (items: readonly DictItem[], keyBits: number): Cell | null => updateDict(null, items, keyBits)

/** A HashmapAugE n X Y over these entries in any order. */
export const buildAugDict = <Y>(
  items: readonly AugDictChange<Y>[],
  keyBits: number,
  aug: Augmentation<Y>,
): AugDict<Y> => updateAugDict({ root: null, extra: aug.empty }, items, keyBits, aug)
