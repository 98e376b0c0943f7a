import { isTonlithError, TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import type { Cell } from '../../ton/cell.ts'
import { methodId } from '../../ton/method-id.ts'
import { buildStack, MAX_STACK_VALUES, type StackValue } from '../../ton/stack.ts'
import { arrayOf, INT32, type JsonSchema, STRING } from '../json-schema.ts'
import type { Param } from './param.ts'
import { readLegacyEntry, readStdEntry, type StackAllowance, stackAllowance } from './stack-input.ts'
import { jsonStackNumber, parseStackNumber } from './stack-number.ts'

const invalid = (message: string): TonlithError => new TonlithError('invalid', message)

const readMethod = (input: Json): bigint | number | undefined => {
  if (typeof input !== 'string') return jsonStackNumber(input)
  return parseStackNumber(input) ?? methodId(input)
}

/** A get-method by name or by number; a text that is a number (decimal, 0x hex) counts as one. Given as its int32 id. */
export const methodParam: Param<number> = {
  required: true,
  description: 'Name or number of the get-method',
  schema: STRING,
  bodySchema: { oneOf: [STRING, INT32] },
  read: (input, name) => {
    if (input === undefined || input === null || input === '') throw invalid(`empty ${name}`)
    const id = Number(readMethod(input))
    if (id !== (id | 0)) throw invalid(`failed to parse ${name}`)
    return id
  },
  key: String,
}

const toStack = (values: readonly StackValue[]): Cell => {
  try {
    return buildStack(values)
  } catch (error) {
    if (isTonlithError(error, 'limit')) throw invalid('TVM stack size exceeds limit')
    throw error
  }
}

type EntryReader = (entry: Json, left: StackAllowance) => StackValue

/** The arguments of a get-method, the deepest first; none when they are not sent. Given as TL-B VmStack. */
const stackParam = (readEntry: EntryReader, items: JsonSchema, description: string): Param<Cell> => ({
  required: false,
  description,
  schema: arrayOf(items),
  read: (input, name) => {
    if (input === undefined || input === null) return toStack([])
    if (!Array.isArray(input) || input.length > MAX_STACK_VALUES) throw invalid(`failed to parse ${name}`)
    const left = stackAllowance()
    return toStack(input.map((entry) => readEntry(entry, left)))
  },
  key: (stack) => stack.hash().toString('hex'),
})

/** Arguments as pairs of type and value. */
export const legacyStack = (items: JsonSchema): Param<Cell> =>
  stackParam(readLegacyEntry, items, 'Arguments, the first one deepest: pairs of type and value')

/** Arguments as typed objects. */
export const stdStack = (items: JsonSchema): Param<Cell> =>
  stackParam(readStdEntry, items, 'Arguments, the first one deepest: objects with `@type`')
