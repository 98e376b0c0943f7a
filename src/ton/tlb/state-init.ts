import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { maybe, parseCell, storeMaybe } from './tag.ts'

/** TL-B TickTock. */
export interface TickTock {
  tick: boolean
  tock: boolean
}

/** TL-B StateInit. `library` is the root of HashmapE 256 SimpleLib. */
export interface StateInit {
  fixed_prefix_length: number | null
  special: TickTock | null
  code: Cell | null
  data: Cell | null
  library: Cell | null
}

/** TL-B StateInit. Throws `malformed`. */
export const loadStateInit = (slice: Slice): StateInit => ({
  fixed_prefix_length: maybe(slice, (s) => s.uint(5)),
  special: maybe(slice, (s) => ({ tick: s.bit(), tock: s.bit() })),
  code: slice.maybeRef(),
  data: slice.maybeRef(),
  library: slice.maybeRef(),
})

/** TL-B ^StateInit. Throws `malformed`. */
export const parseStateInit = (cell: Cell): StateInit => parseCell(cell, loadStateInit)

/** Writes TL-B StateInit. */
export const storeStateInit = (builder: Builder, init: StateInit): Builder => {
  const { fixed_prefix_length, special } = init
  storeMaybe(builder, fixed_prefix_length, (b, length) => b.uint(length, 5))
  storeMaybe(builder, special, (b, { tick, tock }) => b.bit(tick).bit(tock))
  return builder.maybeRef(init.code).maybeRef(init.data).maybeRef(init.library)
}

/** The cell of a StateInit; its hash is the address of the account that it deploys. */
export const stateInitCell = (init: StateInit): Cell => storeStateInit(beginCell(), init).endCell()
