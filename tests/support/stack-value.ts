import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { parseStack, type StackValue } from '../../src/ton/stack.ts'

/** Reads TL-B VmStackValue in a cell of its own, as the only value of a stack. */
export const parseStackValue = (cell: Cell): StackValue =>
  parseStack(beginCell().uint(1, 24).ref(beginCell().endCell()).slice(beginParse(cell)).endCell())[0]!
