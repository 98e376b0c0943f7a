import { TonlithError } from '../../common/errors.ts'
import { cellToBoc } from '../../ton/boc-writer.ts'
import { sliceToCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { openCellSlice, type StackValue } from '../../ton/stack.ts'
import { MAX_STACK_NESTING } from '../v2/stack-input.ts'
import { hexNumber } from '../v2/stack-number.ts'
import { listItems } from '../v2/stack-output.ts'
import type { Wire } from './go-json.ts'
import { base64 } from './serialize/scalars.ts'

/** Bytes of all bags of cells in one answer: one cell can lie on the stack thousands of times. */
const MAX_BYTES = 4 << 20
const CANNOT_BE_WRITTEN = 501

const refuse = (what: string): TonlithError =>
  new TonlithError('unsupported', `result stack ${what}`, { code: CANNOT_BE_WRITTEN })

/**
 * A stack as objects of type and value (contracts/v3.md 4.9), the deepest value first; null is the empty list, as in the
 * reference. Throws `unsupported` for a result that nests too deep or is too large.
 */
export const stackEntries = (stack: readonly StackValue[]): Wire[] => {
  let left = MAX_BYTES
  const bag = (type: string, cell: Cell): Wire => {
    const boc = cellToBoc(cell)
    left -= boc.length
    if (left < 0) throw refuse(`is larger than ${MAX_BYTES} bytes`)
    return { type, value: base64(boc) }
  }
  const items = (values: readonly StackValue[], depth: number): Wire => {
    if (depth >= MAX_STACK_NESTING) throw refuse(`nests deeper than ${MAX_STACK_NESTING}`)
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
        return bag('slice', sliceToCell(openCellSlice(value)))
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
