import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import type { StackValue } from '../../ton/stack.ts'
import { createBagWriter } from '../stack-bag.ts'
import { listItems, sliceCell } from '../stack-shapes.ts'
import { MAX_STACK_NESTING } from '../v2/stack-input.ts'
import { hexNumber } from '../v2/stack-number.ts'
import type { Wire } from './go-json.ts'
import { base64 } from './serialize/scalars.ts'

const CANNOT_BE_WRITTEN = 501

/**
 * A stack as objects of type and value (contracts/v3.md 4.9), the deepest value first; null is the empty list, as in the
 * reference. Throws `unsupported` for a result that nests too deep, or has more cells or bytes than API v2 writes.
 */
export const stackEntries = (stack: readonly StackValue[]): Wire[] => {
  const write = createBagWriter()
  const bag = (type: string, cell: Cell): Wire => ({ type, value: base64(write(cell)) })
  const items = (values: readonly StackValue[], depth: number): Wire => {
    if (depth >= MAX_STACK_NESTING) {
      const message = `result stack nests deeper than ${MAX_STACK_NESTING}`
      throw new TonlithError('unsupported', message, { code: CANNOT_BE_WRITTEN })
    }
    return values.map((value) => entry(value, depth + 1))
  }
  const entry = (value: StackValue, depth: number): Wire => {
    switch (value._) {
      case 'vm_stk_null':
        return { type: 'list', value: [] }
      case 'vm_stk_int':
        return { type: 'num', value: hexNumber(value.value) }
      case 'vm_stk_nan':
        return { type: 'num', value: 'NaN' }
      case 'vm_stk_cell':
        return bag('cell', value.cell)
      case 'vm_stk_slice':
        return bag('slice', sliceCell(value))
      case 'vm_stk_builder':
        return bag('builder', value.cell)
      case 'vm_stk_cont':
        return { type: 'unsupported', value: '' }
      case 'vm_stk_tuple': {
        const list = listItems(value)
        return list ? { type: 'list', value: items(list, depth) } : { type: 'tuple', value: items(value.data, depth) }
      }
    }
  }
  return stack.map((value) => entry(value, 0))
}
