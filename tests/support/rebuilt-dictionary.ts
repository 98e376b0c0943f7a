import type { Builder } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { dictEntries } from '../../src/ton/dictionary.ts'
import type { Augmentation } from '../../src/ton/dictionary-node.ts'
import type { AugDictChange, DictItem } from '../../src/ton/dictionary-update.ts'
import { buildAugDict, buildDict } from '../../src/ton/dictionary-writer.ts'
import type { Slice } from '../../src/ton/slice.ts'
import type { AugDict } from '../../src/ton/tlb/aug-dict.ts'

/** Reads a value and gives what writes it again. */
export type Rewrite = (value: Slice, key: Buffer) => (builder: Builder) => unknown

const asItIs: Rewrite = (value) => (builder) => builder.slice(value)

/** Every entry of a plain dictionary, to be written again. */
const itemsOf = (root: Cell | null, keyBits: number, rewrite: Rewrite): DictItem[] =>
  Array.from(dictEntries(root, keyBits), ([key, value]) => ({ key, store: rewrite(value, key) }))

/** Every entry of an augmented dictionary, with the augmentation of its leaf, to be written again. */
export const augItemsOf = <Y>(
  { root }: AugDict<Y>,
  keyBits: number,
  aug: Augmentation<Y>,
  rewrite: Rewrite = asItIs,
): AugDictChange<Y>[] =>
  Array.from(dictEntries(root, keyBits, { skipExtra: (slice) => void aug.load(slice) }), ([key, value]) => {
    const extra = aug.load(value)
    return { key, extra, store: rewrite(value, key) }
  })

/** The same plain dictionary, built from its entries. */
export const rebuiltDict = (root: Cell | null, keyBits: number, rewrite: Rewrite = asItIs): Cell | null =>
  buildDict(itemsOf(root, keyBits, rewrite), keyBits)

/** The same augmented dictionary, built from its entries. */
export const rebuiltAugDict = <Y>(
  dict: AugDict<Y>,
  keyBits: number,
  aug: Augmentation<Y>,
  rewrite: Rewrite = asItIs,
): AugDict<Y> => buildAugDict(augItemsOf(dict, keyBits, aug, rewrite), keyBits, aug)
