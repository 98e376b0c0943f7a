import type { Builder } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { dictEntries } from '../../src/ton/dictionary.ts'
import type { Augmentation } from '../../src/ton/dictionary-node.ts'
import type { AugDictChange, DictItem } from '../../src/ton/dictionary-update.ts'
import { buildAugDict } from '../../src/ton/dictionary-writer.ts'
import type { AugDict } from '../../src/ton/tlb/aug-dict.ts'

/** Every entry of a plain dictionary, to be written again. */
export const itemsOf = (root: Cell | null, keyBits: number): DictItem[] =>
  Array.from(dictEntries(root, keyBits), ([key, value]) => ({ key, store: (builder: Builder) => builder.slice(value) }))

/** Every entry of an augmented dictionary, with the augmentation of its leaf, to be written again. */
export const augItemsOf = <Y>({ root }: AugDict<Y>, keyBits: number, aug: Augmentation<Y>): AugDictChange<Y>[] =>
  Array.from(dictEntries(root, keyBits, { skipExtra: (slice) => void aug.load(slice) }), ([key, value]) => {
    const extra = aug.load(value)
    return { key, extra, store: (builder: Builder) => builder.slice(value) }
  })

/** The same dictionary, built from its entries. */
export const rebuiltAugDict = <Y>(dict: AugDict<Y>, keyBits: number, aug: Augmentation<Y>): AugDict<Y> =>
  buildAugDict(augItemsOf(dict, keyBits, aug), keyBits, aug)
