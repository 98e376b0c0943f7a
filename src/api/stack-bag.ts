import { TonlithError } from '../common/errors.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'

/** Bytes of all bags of cells in one answer: one cell can lie on the stack thousands of times. */
const MAX_BYTES = 4 << 20
/** Cells that are hashed and written for one answer: as many as a message may have. */
export const MAX_RESULT_CELLS = 8_192
/** Status of a result that asks for too much: it will not be smaller the next time. */
const TOO_MANY = 422

/** Gives the bag of a cell. Throws `unsupported` when the bags of its answer have too many cells or bytes. */
export type BagWriter = (cell: Cell) => Buffer

/** Makes the writer of one answer. What lies on the stack several times is written once, and counted once. */
export const createBagWriter = (): BagWriter => {
  const byCell = new Map<Cell, Buffer>()
  const byHash = new Map<string, Buffer>()
  let cells = 0
  let bytes = 0

  const write = (cell: Cell): Buffer => {
    cells += countCells([cell], MAX_RESULT_CELLS - cells)
    if (cells > MAX_RESULT_CELLS)
      throw new TonlithError('unsupported', `Result stack cells > ${MAX_RESULT_CELLS}`, { code: TOO_MANY })
    const made = byHash.getOrInsertComputed(cell.hash().toString('latin1'), () => cellToBoc(cell))
    byCell.set(cell, made)
    return made
  }

  return (cell) => {
    const bag = byCell.get(cell) ?? write(cell)
    bytes += bag.length
    if (bytes > MAX_BYTES) throw new TonlithError('unsupported', `Result stack bytes >= ${MAX_BYTES}`, { code: 500 })
    return bag
  }
}
