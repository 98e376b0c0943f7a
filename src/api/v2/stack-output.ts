import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import type { StackValue } from '../../ton/stack.ts'
import { type BagWriter, createBagWriter } from '../stack-bag.ts'
import { listItems, sliceCell } from '../stack-shapes.ts'
import { byDialect, type Neutral } from './dialect.ts'
import { type CellBudget, cellObject, MAX_CELL_NODES } from './stack-cell.ts'
import { MAX_STACK_NESTING } from './stack-input.ts'
import { hexNumber } from './stack-number.ts'

/** Status of the reference for a result that nests too deep (contracts/v2.md 9.4). */
const TOO_DEEP = 533

interface Writer extends CellBudget {
  readonly bag: BagWriter
}

const newWriter = (): Writer => ({ nodes: MAX_CELL_NODES, bag: createBagWriter() })

const list = (elements: readonly Neutral[]): Neutral => ({ '@type': 'tvm.list', elements })
const tuple = (elements: readonly Neutral[]): Neutral => ({ '@type': 'tvm.tuple', elements })
const stdNumber = (number: string): Neutral => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number },
})
const stdCell = (bytes: Buffer): Neutral => ({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } })
const stdSlice = (bytes: Buffer): Neutral => ({
  '@type': 'tvm.stackEntrySlice',
  slice: { '@type': 'tvm.slice', bytes },
})
const stdList = (elements: readonly Neutral[]): Neutral => ({ '@type': 'tvm.stackEntryList', list: list(elements) })
const stdTuple = (elements: readonly Neutral[]): Neutral => ({ '@type': 'tvm.stackEntryTuple', tuple: tuple(elements) })

const STD_NULL = stdList([])
const STD_NAN = stdNumber('NaN')
const STD_UNSUPPORTED: Neutral = { '@type': 'tvm.stackEntryUnsupported' }

/** How the values that have no form of their own in the reference are written. */
interface Odd {
  nan: Neutral
  builder(cell: Cell, writer: Writer): Neutral
  continuation: Neutral
}

const STD_ODD: Odd = { nan: STD_NAN, builder: () => STD_UNSUPPORTED, continuation: STD_UNSUPPORTED }

/** Inside of legacy tuples: deployed SDKs read the same, with null for what they have no type for. */
const NESTED_ODD: Odd = {
  nan: byDialect(STD_NAN, STD_NULL),
  builder: (cell, writer) => byDialect(STD_UNSUPPORTED, stdCell(writer.bag(cell))),
  continuation: byDialect(STD_UNSUPPORTED, STD_NULL),
}

const elementsOf = (values: readonly StackValue[], odd: Odd, writer: Writer, depth: number): Neutral[] => {
  if (depth >= MAX_STACK_NESTING)
    throw new TonlithError('unsupported', `Result stack depth >= ${MAX_STACK_NESTING}`, { code: TOO_DEEP })
  return values.map((value) => stdEntry(value, odd, writer, depth + 1))
}

const stdEntry = (value: StackValue, odd: Odd, writer: Writer, depth: number): Neutral => {
  switch (value._) {
    case 'vm_stk_null':
      return STD_NULL
    case 'vm_stk_int':
      return stdNumber(String(value.value))
    case 'vm_stk_nan':
      return odd.nan
    case 'vm_stk_cell':
      return stdCell(writer.bag(value.cell))
    case 'vm_stk_slice':
      return stdSlice(writer.bag(sliceCell(value)))
    case 'vm_stk_builder':
      return odd.builder(value.cell, writer)
    case 'vm_stk_cont':
      return odd.continuation
    case 'vm_stk_tuple': {
      const items = listItems(value)
      return items
        ? stdList(elementsOf(items, odd, writer, depth))
        : stdTuple(elementsOf(value.data, odd, writer, depth))
    }
  }
}

/**
 * A stack as typed objects (contracts/v2.md 9.7), the deepest value first. Throws `unsupported` for a result that nests too
 * deep or is too large.
 */
export const stdStackEntries = (stack: readonly StackValue[]): Neutral => {
  const writer = newWriter()
  return stack.map((value) => stdEntry(value, STD_ODD, writer, 0))
}

const UNSUPPORTED: Neutral = ['unsupported', '']
const NULL: Neutral = ['null', '']

const legacyCell = (cell: Cell, writer: Writer): Neutral => ({
  bytes: writer.bag(cell),
  object: cellObject(cell, writer),
})

const legacyEntry = (value: StackValue, writer: Writer): Neutral => {
  switch (value._) {
    case 'vm_stk_null':
      return ['list', list([])]
    case 'vm_stk_int':
      return ['num', hexNumber(value.value)]
    case 'vm_stk_nan':
      return byDialect(['num', 'NaN'], NULL)
    case 'vm_stk_cell':
      return ['cell', legacyCell(value.cell, writer)]
    case 'vm_stk_slice':
      return ['cell', legacyCell(sliceCell(value), writer)]
    case 'vm_stk_builder':
      return byDialect(UNSUPPORTED, ['builder', { bytes: writer.bag(value.cell) }])
    case 'vm_stk_cont':
      return byDialect(UNSUPPORTED, NULL)
    case 'vm_stk_tuple': {
      const items = listItems(value)
      return items
        ? ['list', list(elementsOf(items, NESTED_ODD, writer, 0))]
        : ['tuple', tuple(elementsOf(value.data, NESTED_ODD, writer, 0))]
    }
  }
}

/** A stack as pairs of type and value (contracts/v2.md 9.6), the deepest value first. Errors as stdStackEntries. */
export const legacyStackEntries = (stack: readonly StackValue[]): Neutral => {
  const writer = newWriter()
  return stack.map((value) => legacyEntry(value, writer))
}
