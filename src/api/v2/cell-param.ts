import { isTonlithError, TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import type { Cell } from '../../ton/cell.ts'
import { bytes, type Param } from './param.ts'

/** A bag of cells with one root, and the bytes that it was read from. */
export interface Boc {
  boc: Buffer
  root: Cell
}

const MAX_CELLS = 65_536

const readBoc = (boc: Buffer, name: string): Boc => {
  try {
    return { boc, root: parseBocRoot(boc, { maxCells: MAX_CELLS }) }
  } catch (error) {
    if (!isTonlithError(error)) throw error
    throw new TonlithError('invalid', `INVALID_BAG_OF_CELLS: ${name}: ${error.message}`)
  }
}

const BOC = bytes({})

/** A bag of cells in base64. */
export const boc = (description: string): Param<Boc> => ({
  required: true,
  description,
  schema: BOC.schema,
  read: (input, name) => readBoc(BOC.read(input, name), name),
  key: ({ root }) => root.hash().toString('hex'),
})

/** How a method takes cells, one that must be there and one that may be left out. */
export interface CellKind {
  required(description: string): Param<Cell>
  optional(description: string): Param<Cell | undefined>
}

const cellKey = (cell: Cell | undefined): string => cell?.hash().toString('hex') ?? ''

/** Makes a kind from what reads a cell and what says that there is none. */
export const cellKind = (
  { schema }: Pick<Param<unknown>, 'schema'>,
  read: (input: Json | undefined, name: string) => Cell,
  isAbsent: (input: Json | undefined) => boolean,
): CellKind => ({
  required: (description) => ({ required: true, description, schema, read, key: cellKey }),
  optional: (description) => ({
    required: false,
    description,
    schema,
    read: (input, name) => (isAbsent(input) ? undefined : read(input, name)),
    key: cellKey,
  }),
})

/** Cells as bags in base64; the empty text stands for none. */
export const bagCells: CellKind = cellKind(
  BOC,
  (input, name) => readBoc(BOC.read(input, name), name).root,
  (input) => input === undefined || input === null || input === '',
)
