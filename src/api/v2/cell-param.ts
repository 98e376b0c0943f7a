import { isTonlithError, TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { type BocLimits, parseBocRoot } from '../../ton/boc.ts'
import type { Cell } from '../../ton/cell.ts'
import { checkMessageBytes, MAX_MESSAGE_BYTES, MAX_MESSAGE_CELLS } from '../../ton/external-message.ts'
import { bytes, type Param } from './param.ts'

/** A bag of cells with one root, and the bytes that it was read from. */
export interface Boc {
  boc: Buffer
  root: Cell
}

/** A part of a message may come in a form with an index and stored hashes, which takes a few times what is sent. */
const MAX_PART_BYTES = 4 * MAX_MESSAGE_BYTES

const readBoc = (boc: Buffer, name: string, limits: BocLimits): Boc => {
  try {
    return { boc, root: parseBocRoot(boc, limits) }
  } catch (error) {
    if (!isTonlithError(error)) throw error
    throw new TonlithError('invalid', `INVALID_BAG_OF_CELLS: ${name}: ${error.message}`)
  }
}

const BOC = bytes({})

const readMessage = (boc: Buffer, name: string): Boc => {
  checkMessageBytes(boc.length)
  return readBoc(boc, name, {})
}

const readPart = (boc: Buffer, name: string): Cell =>
  readBoc(boc, name, { maxBytes: MAX_PART_BYTES, maxCells: MAX_MESSAGE_CELLS }).root

/** A message as a bag of cells in base64, of no more bytes than the network carries. */
export const boc = (description: string): Param<Boc> => ({
  required: true,
  description,
  schema: BOC.schema,
  read: (input, name) => readMessage(BOC.read(input, name), name),
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

/** Parts of a message as bags in base64; the empty text stands for none. */
export const bagCells: CellKind = cellKind(
  BOC,
  (input, name) => readPart(BOC.read(input, name), name),
  (input) => input === undefined || input === null || input === '',
)
