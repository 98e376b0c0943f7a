import { hash } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'
import type { TokenContent } from '../model/token-content.ts'
import type { Cell } from '../ton/cell.ts'
import { dictEntries, dictLookup } from '../ton/dictionary.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { readSnake } from '../ton/snake.ts'
import { type GetMethods, readOrNone } from './get-methods.ts'

const ONCHAIN = 0x00
const OFFCHAIN = 0x01
const SNAKE = 0x00
const CHUNKED = 0x01

/** The one attribute that is no text. */
const IMAGE_DATA = 'image_data'

/** TEP-64's attributes in alphabetical order, with their keys. */
const ATTRIBUTES = [
  'amount_style',
  'decimals',
  'description',
  'image',
  IMAGE_DATA,
  'name',
  'render_type',
  'symbol',
  'uri',
].map((name) => ({ name, key: hash('sha256', name, 'buffer') }))

/**
 * Cells that the chunks of all values may have together, 256 KiB of data. A dictionary of chunks can share its cells, so
 * that few of them stand for very many. A snake has no more than 1024 cells, as deep as cells may nest.
 */
const MAX_CHUNK_CELLS = 2048

/** Counts down the cells of chunks that may still be read. */
interface Budget {
  left: number
}

const malformed = (): TonlithError => new TonlithError('malformed', 'not TEP-64 content')

const snakeOf = (slice: Slice): Buffer => {
  const bytes = readSnake(slice)
  if (!bytes) throw malformed()
  return bytes
}

/** TL-B ChunkedData: HashmapE 32 ^SnakeData, in the order of the keys. */
const readChunks = (slice: Slice, budget: Budget): Buffer => {
  const chunks: Buffer[] = []
  for (const [, value] of dictEntries(slice.maybeRef(), 32)) {
    const chunk = value.ref()
    budget.left -= chunk.depth() + 1
    if (budget.left < 0) throw new TonlithError('limit', 'token content too large')
    chunks.push(snakeOf(beginParse(chunk)))
  }
  return Buffer.concat(chunks)
}

/** TL-B ContentData, behind a reference or in line. */
const readValue = (value: Slice, budget: Budget): Buffer => {
  const isReference = value.remainingBits === 0 && value.remainingRefs > 0
  const data = isReference ? beginParse(value.ref()) : value
  switch (data.uint(8)) {
    case SNAKE:
      return snakeOf(data)
    case CHUNKED:
      return readChunks(data, budget)
  }
  throw malformed()
}

const textOf = (name: string, value: Buffer): string | undefined =>
  name === IMAGE_DATA ? value.toString('base64') : decodeUtf8(value)

/** Only the known keys are looked up, so that the size of the dictionary does not matter. */
const readAttributes = (root: Cell | null): Record<string, string> => {
  const attributes: Record<string, string> = {}
  const budget = { left: MAX_CHUNK_CELLS }
  for (const { name, key } of ATTRIBUTES) {
    const value = readOrNone(() => {
      const found = dictLookup(root, 256, key)
      return found && readValue(found, budget)
    })
    const text = value ? textOf(name, value) : undefined
    if (text !== undefined) attributes[name] = text
  }
  return attributes
}

/**
 * TL-B FullContent (TEP-64) in each of its forms: on-chain, off-chain, and on-chain with a `uri` (semi-chain). Left out of
 * the attributes are unknown ones, those whose bytes are no UTF-8, and those in chunks beyond 256 KiB. Throws
 * `malformed` for what is no such content, also for an off-chain URI that is no UTF-8 (contracts/v2.md 15.4, 20 #31).
 */
export const readTokenContent = (cell: Cell): TokenContent => {
  const slice = beginParse(cell)
  switch (slice.uint(8)) {
    case ONCHAIN:
      return { _: 'onchain', attributes: readAttributes(slice.maybeRef()) }
    case OFFCHAIN: {
      const uri = decodeUtf8(snakeOf(slice))
      if (uri === undefined) throw malformed()
      return { _: 'offchain', uri }
    }
  }
  throw malformed()
}

/** Content that cannot be read: nothing is known of it. */
export const NO_CONTENT: TokenContent = { _: 'onchain', attributes: {} }

/** As readTokenContent; content that cannot be read is NO_CONTENT, and told to `methods`. */
export const contentOrNone = (methods: Pick<GetMethods, 'fault'>, cell: Cell): TokenContent => {
  const content = readOrNone(() => readTokenContent(cell))
  if (!content) methods.fault?.('content')
  return content ?? NO_CONTENT
}
