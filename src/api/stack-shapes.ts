import { sliceToCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { type CellSlice, openCellSlice, type StackValue } from '../ton/stack.ts'

/** A slice as a cell; one of a whole cell is that cell, so that it counts once however often it is there. */
export const sliceCell = (slice: CellSlice): Cell => {
  const { cell, st_bits, end_bits, st_ref, end_ref } = slice
  const isWhole = !cell.exotic && st_bits === 0 && end_bits === cell.bits && st_ref === 0 && end_ref === cell.refCount
  return isWhole ? cell : sliceToCell(openCellSlice(slice))
}

/** The items of a chain of pairs that ends in null, or undefined for another value. */
export const listItems = (value: StackValue): StackValue[] | undefined => {
  const items: StackValue[] = []
  let rest = value
  while (rest._ === 'vm_stk_tuple' && rest.data.length === 2) {
    items.push(rest.data[0]!)
    rest = rest.data[1]!
  }
  return rest._ === 'vm_stk_null' ? items : undefined
}
