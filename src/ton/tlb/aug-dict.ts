import type { Cell } from '../cell.ts'
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
