import { TonlithError } from '../common/errors.ts'
import { type Builder, beginCell } from './builder.ts'
import { type Cell, MAX_DEPTH } from './cell.ts'
import { beginParse, Slice } from './slice.ts'

/** TL-B VmStackValue; small and large integers are one kind. */
export type StackValue =
  | { _: 'vm_stk_null' }
  /** Signed, 257 bits. */
  | { _: 'vm_stk_int'; value: bigint }
  | { _: 'vm_stk_nan' }
  | { _: 'vm_stk_cell'; cell: Cell }
  | ({ _: 'vm_stk_slice' } & CellSlice)
  /** What the builder holds, as a cell. */
  | { _: 'vm_stk_builder'; cell: Cell }
  /** TL-B VmCont, still closed. */
  | { _: 'vm_stk_cont'; cont: Slice }
  | { _: 'vm_stk_tuple'; data: readonly StackValue[] }

/** TL-B VmCellSlice: a window into a cell. */
export interface CellSlice {
  cell: Cell
  st_bits: number
  end_bits: number
  st_ref: number
  end_ref: number
}

/** Values that a stack may hold, those inside of tuples counted (contracts/v2.md 9.4). */
export const MAX_STACK_VALUES = 8000

const NULL = 0x00
const TINYINT = 0x01
const INT = 0x02
const CELL = 0x03
const SLICE = 0x04
const BUILDER = 0x05
const CONT = 0x06
const TUPLE = 0x07

/** Behind the tag 02: seven zero bits and an int257, or ff for NaN. */
const NAN_REST = 0xff
const INT_BITS = 257

export const STACK_NULL: StackValue = { _: 'vm_stk_null' }

/** An integer entry. Throws `limit` only when it is serialised, if it does not fit 257 bits. */
export const stackInt = (value: bigint | number): StackValue => ({ _: 'vm_stk_int', value: BigInt(value) })

export const stackTuple = (data: readonly StackValue[]): StackValue => ({ _: 'vm_stk_tuple', data })

/** A slice of the whole cell. */
export const stackSlice = (cell: Cell): StackValue => ({
  _: 'vm_stk_slice',
  cell,
  st_bits: 0,
  end_bits: cell.bits,
  st_ref: 0,
  end_ref: cell.refCount,
})

/** A read position at what a slice entry shows; also for an exotic cell, as data. */
export const openCellSlice = ({ cell, st_bits, end_bits, st_ref, end_ref }: CellSlice): Slice =>
  new Slice(cell, st_bits, end_bits, st_ref, end_ref)

const malformed = (what: string): TonlithError => new TonlithError('malformed', `stack: ${what}`)
const tooLarge = (): TonlithError => new TonlithError('limit', 'TVM stack size exceeds limit')

const loadCellSlice = (slice: Slice): CellSlice => {
  const cell = slice.ref()
  const [st_bits, end_bits, st_ref, end_ref] = [slice.uint(10), slice.uint(10), slice.uint(3), slice.uint(3)]
  if (st_bits > end_bits || end_bits > cell.bits || st_ref > end_ref || end_ref > cell.refCount)
    throw malformed('slice outside of its cell')
  return { cell, st_bits, end_bits, st_ref, end_ref }
}

const loadInt = (slice: Slice): StackValue => {
  if (slice.preloadUint(8) === NAN_REST) {
    slice.skip(8)
    return { _: 'vm_stk_nan' }
  }
  if (slice.uint(7) !== 0) throw malformed('unknown integer')
  return stackInt(slice.intBig(INT_BITS))
}

/** The cells of a tuple's elements. TL-B VmTuple: the last one on top, all before it behind one reference. */
const loadElements = (slice: Slice): Cell[] => {
  const elements: Cell[] = new Array(slice.uint(16))
  let node = slice
  for (let n = elements.length; n > 0; n--) {
    const isOnly = n === 1
    const head = isOnly ? undefined : node.ref()
    elements[n - 1] = node.ref()
    if (node !== slice) node.expectEnd()
    if (n === 2) {
      elements[0] = head!
      break
    }
    if (head) node = beginParse(head)
  }
  return elements
}

type Task = { cell: Cell | Slice; target: StackValue[]; index: number }

const loadPlain = (slice: Slice, tag: number): StackValue => {
  switch (tag) {
    case NULL:
      return STACK_NULL
    case TINYINT:
      return stackInt(slice.intBig(64))
    case INT:
      return loadInt(slice)
    case CELL:
      return { _: 'vm_stk_cell', cell: slice.ref() }
    case SLICE:
      return { _: 'vm_stk_slice', ...loadCellSlice(slice) }
    case BUILDER:
      return { _: 'vm_stk_builder', cell: slice.ref() }
  }
  throw malformed('unknown entry')
}

/** Reads one value, and the tuples in it without recursion. `budget` counts down; below zero it throws `limit`. */
const loadValue = (first: Slice, budget: { left: number }): StackValue => {
  const result: StackValue[] = []
  const tasks: Task[] = [{ cell: first, target: result, index: 0 }]
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (--budget.left < 0) throw tooLarge()
    const slice = task.cell instanceof Slice ? task.cell : beginParse(task.cell)
    const tag = slice.uint(8)
    if (tag === CONT) {
      task.target[task.index] = { _: 'vm_stk_cont', cont: slice.clone() }
      continue
    }
    if (tag === TUPLE) {
      const elements = loadElements(slice)
      if (elements.length > budget.left) throw tooLarge()
      const data: StackValue[] = new Array(elements.length)
      task.target[task.index] = { _: 'vm_stk_tuple', data }
      for (let i = elements.length - 1; i >= 0; i--) tasks.push({ cell: elements[i]!, target: data, index: i })
    } else task.target[task.index] = loadPlain(slice, tag)
    slice.expectEnd()
  }
  return result[0]!
}

/**
 * TL-B VmStack: its values, the deepest first. No input can make it recurse. Throws `malformed`, or `limit` beyond
 * MAX_STACK_VALUES (cells may be shared, so that few of them can stand for very many values).
 */
export const parseStack = (cell: Cell): StackValue[] => {
  const budget = { left: MAX_STACK_VALUES }
  let slice = beginParse(cell)
  const depth = slice.uint(24)
  if (depth > MAX_STACK_VALUES) throw tooLarge()
  const values: StackValue[] = new Array(depth)
  for (let i = depth - 1; i >= 0; i--) {
    const rest = slice.ref()
    values[i] = loadValue(slice, budget)
    slice = beginParse(rest)
  }
  slice.expectEnd()
  return values
}

const storeCellSlice = (builder: Builder, { cell, st_bits, end_bits, st_ref, end_ref }: CellSlice): Builder =>
  builder.ref(cell).uint(st_bits, 10).uint(end_bits, 10).uint(st_ref, 3).uint(end_ref, 3)

const storeInt = (builder: Builder, value: bigint): Builder =>
  BigInt.asIntN(64, value) === value
    ? builder.uint(TINYINT, 8).int(value, 64)
    : builder.uint(INT, 8).uint(0, 7).int(value, INT_BITS)

const storeElements = (builder: Builder, elements: readonly Cell[]): Builder => {
  builder.uint(TUPLE, 8).uint(elements.length, 16)
  const last = elements.at(-1)
  if (!last) return builder
  let head = elements.length > 1 ? elements[0] : undefined
  for (let i = 1; i < elements.length - 1; i++) head = beginCell().ref(head!).ref(elements[i]!).endCell()
  if (head) builder.ref(head)
  return builder.ref(last)
}

const storeValue = (builder: Builder, value: StackValue, elements: readonly Cell[]): Builder => {
  switch (value._) {
    case 'vm_stk_null':
      return builder.uint(NULL, 8)
    case 'vm_stk_int':
      return storeInt(builder, value.value)
    case 'vm_stk_nan':
      return builder.uint(INT, 8).uint(NAN_REST, 8)
    case 'vm_stk_cell':
      return builder.uint(CELL, 8).ref(value.cell)
    case 'vm_stk_slice':
      return storeCellSlice(builder.uint(SLICE, 8), value)
    case 'vm_stk_builder':
      return builder.uint(BUILDER, 8).ref(value.cell)
    case 'vm_stk_cont':
      return builder.uint(CONT, 8).slice(value.cont)
    case 'vm_stk_tuple':
      return storeElements(builder, elements)
  }
}

/** Ends a cell and hashes it, so that no later hashing has to descend; throws `limit` beyond depth 1024. */
const endHashed = (builder: Builder): Cell => {
  const cell = builder.endCell()
  cell.hash()
  return cell
}

/**
 * The values in breadth-first order, and for each tuple where its elements start. Every element thus comes behind its
 * tuple. Throws `limit`.
 */
const flatten = (values: readonly StackValue[]): { flat: StackValue[]; starts: number[] } => {
  const flat = [...values]
  const starts: number[] = []
  for (let i = 0; i < flat.length; i++) {
    if (flat.length > MAX_STACK_VALUES) throw tooLarge()
    const value = flat[i]!
    starts.push(flat.length)
    if (value._ === 'vm_stk_tuple') for (const element of value.data) flat.push(element)
  }
  return { flat, starts }
}

/** Cells of all values of `flat` from index `top` on. */
const nestedCells = (flat: readonly StackValue[], starts: readonly number[], top: number) => {
  const cells: Cell[] = new Array(flat.length)
  const elementsOf = (i: number): Cell[] => {
    const value = flat[i]!
    return value._ === 'vm_stk_tuple' ? cells.slice(starts[i]!, starts[i]! + value.data.length) : []
  }
  for (let i = flat.length - 1; i >= top; i--) cells[i] = endHashed(storeValue(beginCell(), flat[i]!, elementsOf(i)))
  return { cells, elementsOf }
}

/** TL-B VmStackValue in a cell of its own. Errors as buildStack. */
export const buildStackValue = (value: StackValue): Cell => {
  const { flat, starts } = flatten([value])
  return nestedCells(flat, starts, 0).cells[0]!
}

/**
 * TL-B VmStack of values, the deepest first; the same cells as the node makes. Throws `limit` for an integer beyond 257
 * bits, for more than MAX_STACK_VALUES values, and for what does not fit into a cell of depth 1024.
 */
export const buildStack = (values: readonly StackValue[]): Cell => {
  if (values.length > MAX_DEPTH) throw tooLarge()
  const { flat, starts } = flatten(values)
  const { elementsOf } = nestedCells(flat, starts, values.length)
  const top = values.length - 1
  let rest = beginCell()
    .uint(0, top < 0 ? 24 : 0)
    .endCell()
  for (let i = 0; i <= top; i++) {
    const builder = i === top ? beginCell().uint(values.length, 24) : beginCell()
    rest = endHashed(storeValue(builder.ref(rest), flat[i]!, elementsOf(i)))
  }
  return rest
}
