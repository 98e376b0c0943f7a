import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import type { Cell } from '../../ton/cell.ts'
import { legacyStack } from '../v2/stack-param.ts'
import type { BodyParam } from './method.ts'
import { refusal } from './param.ts'
import { STACK_ENTRY } from './schemas.ts'

/** The kinds of argument by their names in API v2, where cells stand as base64 alone. */
const KINDS: Readonly<Record<string, string>> = { num: 'num', cell: 'tvm.Cell', slice: 'tvm.Slice' }
const MAX_SHOWN = 80

const pairs = legacyStack(STACK_ENTRY)

const pairOf = (entry: Json): Json => {
  if (!isJsonObject(entry) || typeof entry['type'] !== 'string')
    throw refusal('stack: each entry must be an object with type and value')
  const { type, value } = entry
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  if (kind === undefined) throw refusal(`unsupported stack parameter type: ${type.slice(0, MAX_SHOWN)}`)
  return [kind, value ?? null]
}

/** The arguments of a get-method as objects of type and value (contracts/v3.md 4.9). Given as TL-B VmStack. */
export const stackParam: BodyParam<Cell> = {
  required: false,
  description: 'Arguments, the first one deepest: num (decimal or hex), cell and slice (bag of cells in base64)',
  schema: { type: 'array', items: STACK_ENTRY },
  read: (input, name) => pairs.read(Array.isArray(input) ? input.map(pairOf) : input, name),
}
