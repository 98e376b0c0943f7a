import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Augmentation } from '../dictionary-node.ts'
import type { Slice } from '../slice.ts'

/** TL-B HashmapAugE n X Y: the root (null when empty) and the augmentation of the whole dictionary. */
export interface AugDict<Y> {
  root: Cell | null
  extra: Y
}

/** TL-B HashmapAugE; the dictionary stays closed. */
export const loadAugDict = <Y>(slice: Slice, loadExtra: (slice: Slice) => Y): AugDict<Y> => ({
  root: slice.maybeRef(),
  extra: loadExtra(slice),
})

/** Writes TL-B HashmapAugE. */
export const storeAugDict = <Y>(builder: Builder, { root, extra }: AugDict<Y>, aug: Augmentation<Y>): Builder => {
  aug.store(builder.maybeRef(root), extra)
  return builder
}

/** TL-B HashmapAugE as a cell of its own, the form of ShardAccounts and of the parts of BlockExtra. */
export const buildAugDictCell = <Y>(dict: AugDict<Y>, aug: Augmentation<Y>): Cell =>
  storeAugDict(beginCell(), dict, aug).endCell()
