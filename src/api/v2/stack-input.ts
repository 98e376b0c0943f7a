import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import { readBocHeader } from '../../ton/boc-header.ts'
import type { Cell } from '../../ton/cell.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice, stackTuple } from '../../ton/stack.ts'
import { jsonStackNumber, parseStackNumber } from './stack-number.ts'

/** Tuples and lists in each other, in what is sent and in what is answered. */
export const MAX_STACK_NESTING = 256

/** Status of the reference for a kind of entry that it does not take (contracts/v2.md 9.5). */
const UNSUPPORTED_ENTRY = 542
/** Cells of all arguments of one call: each is read, hashed and written twice, between other requests. */
export const MAX_STACK_CELLS = 2_048
/** Values inside of tuples and lists of one call, for the same reason; the emulator answers for less than 4,000 of them. */
export const MAX_NESTED_VALUES = 2_000
const MAX_SHOWN = 80
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const invalid = (message: string): TonlithError => new TonlithError('invalid', message)
const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

type JsonObject = { readonly [key: string]: Json }

const field = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** What the arguments of one call may still have. */
export interface StackAllowance {
  cells: number
  /** Inside of tuples and lists. */
  values: number
}

export const stackAllowance = (): StackAllowance => ({ cells: MAX_STACK_CELLS, values: MAX_NESTED_VALUES })

/** The number of cells in a bag, read before anything is spent on them. */
const countIn = (bytes: Buffer, most: number): number => {
  try {
    return readBocHeader(bytes, { maxCells: most }).count
  } catch (error) {
    if (isTonlithError(error, 'limit')) throw invalid(`arguments of more than ${MAX_STACK_CELLS} cells`)
    throw error
  }
}

const readCell = (text: string, left: StackAllowance): Cell => {
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw invalid(`invalid base64 encoded bytes: ${shown(text)}`)
  try {
    const bytes = Buffer.from(text, 'base64')
    left.cells -= countIn(bytes, left.cells)
    const root = parseBocRoot(bytes)
    if (root.level !== 0) throw new TonlithError('malformed', 'bag of cells has a root with non-zero level')
    return root
  } catch (error) {
    if (!isTonlithError(error) || error.kind === 'invalid') throw error
    throw invalid(`INVALID_BAG_OF_CELLS: ${error.message}`)
  }
}

/** A slice of a whole cell. The TVM makes none of an exotic cell. */
const sliceOf = (cell: Cell): StackValue => {
  if (cell.exotic) throw invalid('Invalid slice, exotic cell')
  return stackSlice(cell)
}

/** The innermost pair holds the last item and null. */
const lispList = (items: readonly StackValue[]): StackValue =>
  items.reduceRight<StackValue>((rest, item) => stackTuple([item, rest]), STACK_NULL)

/** The payload of a typed entry: an object whose `@type`, where it is there, is the given word. */
const payload = (entry: JsonObject, key: string, type: string): JsonObject => {
  const value = field(entry, key)
  const named = isJsonObject(value) ? field(value, '@type') : undefined
  if (!isJsonObject(value) || (named !== undefined && named !== type)) throw invalid('failed to parse stack')
  return value
}

const textOf = (object: JsonObject, key: string): string => {
  const value = field(object, key)
  if (typeof value !== 'string') throw invalid('failed to parse stack')
  return value
}

const readNumber = (number: JsonObject): StackValue => {
  const given = field(number, 'number')
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'bigint')
    throw invalid('failed to parse stack')
  const value = typeof given === 'string' ? parseStackNumber(given) : jsonStackNumber(given)
  if (value === undefined) throw invalid(`Failed to parse int256: '${shown(String(given))}'`)
  return stackInt(value)
}

const readElements = (holder: JsonObject, depth: number, left: StackAllowance): StackValue[] => {
  const elements = field(holder, 'elements')
  if (!Array.isArray(elements)) throw invalid('failed to parse stack')
  if (depth >= MAX_STACK_NESTING) throw invalid(`stack nested deeper than ${MAX_STACK_NESTING}`)
  left.values -= elements.length
  if (left.values < 0) throw invalid('TVM stack size exceeds limit')
  return elements.map((element: Json) => readTyped(element, depth + 1, left))
}

const readTyped = (entry: Json, depth: number, left: StackAllowance): StackValue => {
  if (!isJsonObject(entry)) throw invalid('failed to parse stack')
  const type = textOf(entry, '@type')
  switch (type) {
    case 'tvm.stackEntryNumber':
      return readNumber(payload(entry, 'number', 'tvm.numberDecimal'))
    case 'tvm.stackEntryCell':
      return { _: 'vm_stk_cell', cell: readCell(textOf(payload(entry, 'cell', 'tvm.cell'), 'bytes'), left) }
    case 'tvm.stackEntrySlice':
      return sliceOf(readCell(textOf(payload(entry, 'slice', 'tvm.slice'), 'bytes'), left))
    case 'tvm.stackEntryTuple':
      return stackTuple(readElements(payload(entry, 'tuple', 'tvm.tuple'), depth, left))
    case 'tvm.stackEntryList':
      return lispList(readElements(payload(entry, 'list', 'tvm.list'), depth, left))
    case 'tvm.stackEntryUnsupported':
      throw new TonlithError('unsupported', 'Unsuppored stack entry', { code: 500 })
  }
  throw invalid(`Unknown discriminator field value '${shown(type)}'`)
}

/** An entry of the typed form (contracts/v2.md 9.7). Throws `invalid` or `unsupported` in the words of the reference. */
export const readStdEntry = (entry: Json, left: StackAllowance): StackValue => readTyped(entry, 0, left)

const legacyNumber = (value: Json): StackValue => {
  const number = typeof value === 'string' ? parseStackNumber(value) : jsonStackNumber(value)
  if (number !== undefined) return stackInt(number)
  if (typeof value === 'string' || typeof value === 'bigint') throw invalid(`Invalid number: ${shown(String(value))}`)
  throw invalid('Wrong type of number in stack entry')
}

/** A cell given as base64, or as an object that holds it in `bytes`. */
const legacyCell = (type: string, value: Json, left: StackAllowance): Cell => {
  const isText = type.startsWith('tvm.')
  const expected = isText ? 'base64 string' : 'object with field bytes'
  const bytes = isText ? value : isJsonObject(value) ? field(value, 'bytes') : undefined
  if (typeof bytes !== 'string') throw invalid(`Invalid ${type}, ${expected} expected`)
  if (bytes === '') throw invalid(`Empty ${type}`)
  return readCell(bytes, left)
}

const legacyElements = (type: 'Tuple' | 'List', value: Json, left: StackAllowance): StackValue[] => {
  const holder = { value }
  if (!isJsonObject(value) || !Array.isArray(field(value, 'elements')))
    throw invalid(`Invalid tvm.${type}, valid tvm_stackEntry${type} expected`)
  return readElements(payload(holder, 'value', `tvm.${type.toLowerCase()}`), 0, left)
}

const readLegacy = (type: string, value: Json, left: StackAllowance): StackValue => {
  switch (type) {
    case 'num':
    case 'int':
    case 'number':
    case 'integer':
      return legacyNumber(value)
    case 'cell':
    case 'tvm.Cell':
      return { _: 'vm_stk_cell', cell: legacyCell(type, value, left) }
    case 'slice':
    case 'tvm.Slice':
      return sliceOf(legacyCell(type, value, left))
    case 'tuple':
    case 'tvm.Tuple':
      return stackTuple(legacyElements('Tuple', value, left))
    case 'list':
    case 'tvm.List':
      return lispList(legacyElements('List', value, left))
  }
  throw new TonlithError('unsupported', `Unsupported stack entry type: ${shown(type)}`, { code: UNSUPPORTED_ENTRY })
}

/** A pair of type and value (contracts/v2.md 9.5). Throws `invalid` or `unsupported` in the words of the reference. */
export const readLegacyEntry = (entry: Json, left: StackAllowance): StackValue => {
  if (!Array.isArray(entry)) throw invalid('failed to parse stack')
  if (entry.length < 2) throw invalid(`Too short array, minimum length=2, given=${entry.length}`)
  if (entry.length > 2) throw invalid(`Too long array, maximum length=2, given=${entry.length}`)
  const [type, value] = entry as [Json, Json]
  if (typeof type !== 'string') throw invalid('Expected string as first element in stack entry')
  return readLegacy(type, value, left)
}
