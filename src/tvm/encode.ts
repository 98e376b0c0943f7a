import { cellToBoc } from '../ton/boc-writer.ts'
import type { Builder } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { buildDict } from '../ton/dictionary-writer.ts'
import { type PrevBlocks, prevBlocksTuple } from '../ton/prev-blocks.ts'
import { buildStackValue } from '../ton/stack.ts'

/** A cell as the emulator takes it: BoC in base64. */
export const base64 = (cell: Cell): string => cellToBoc(cell).toString('base64')

/** Libraries as the emulator takes them: a dictionary by hash; the empty text for none. */
export const libraryDict = (libraries: Iterable<Cell>): string => {
  const items = Array.from(libraries, (cell) => ({
    key: cell.hash(),
    store: (builder: Builder) => builder.ref(cell),
  }))
  const root = buildDict(items, 256)
  return root ? base64(root) : ''
}

const encodedPrevBlocks = new WeakMap<PrevBlocks, string>()

/** The earlier masterchain blocks as contracts of this global version find them. */
export const encodePrevBlocks = (blocks: PrevBlocks, globalVersion: number): string => {
  const known = encodedPrevBlocks.get(blocks)
  if (known !== undefined) return known
  const text = base64(buildStackValue(prevBlocksTuple(blocks, globalVersion)))
  encodedPrevBlocks.set(blocks, text)
  return text
}
