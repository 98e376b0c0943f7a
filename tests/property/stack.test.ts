import { describe, expect, test } from 'bun:test'
import { parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import fc from 'fast-check'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { cellToBoc, serializeBoc } from '../../src/ton/boc-writer.ts'
import { sliceToCell } from '../../src/ton/builder.ts'
import { buildStack, openCellSlice, parseStack, STACK_NULL, type StackValue, stackTuple } from '../../src/ton/stack.ts'
import { anyCell, ordinaryCell } from '../support/cell-arbitrary.ts'
import { failureOf } from '../support/failure.ts'
import { fromTonCore, toTonCore } from '../support/ton-core.ts'

const integer = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n })

const window = fc.tuple(anyCell, fc.nat(), fc.nat(), fc.nat(), fc.nat()).map(([cell, a, b, c, d]): StackValue => {
  const end_bits = a % (cell.bits + 1)
  const end_ref = c % (cell.refCount + 1)
  return { _: 'vm_stk_slice', cell, st_bits: b % (end_bits + 1), end_bits, st_ref: d % (end_ref + 1), end_ref }
})

const plain: fc.Arbitrary<StackValue> = fc.oneof(
  fc.constant(STACK_NULL),
  fc.constant<StackValue>({ _: 'vm_stk_nan' }),
  integer.map((value): StackValue => ({ _: 'vm_stk_int', value })),
  anyCell.map((cell): StackValue => ({ _: 'vm_stk_cell', cell })),
  anyCell.map((cell): StackValue => ({ _: 'vm_stk_builder', cell })),
  window,
)

const { value } = fc.letrec<{ value: StackValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, plain, fc.array(tie('value'), { maxLength: 6 }).map(stackTuple)),
}))
const stack = fc.array(value, { maxLength: 12 })

/** What a value shows, in a form that can be compared. */
const shown = (each: StackValue): unknown => {
  switch (each._) {
    case 'vm_stk_tuple':
      return each.data.map(shown)
    case 'vm_stk_int':
      return each.value
    case 'vm_stk_slice':
      return ['slice', sliceToCell(openCellSlice(each)).hash().toString('hex')]
    case 'vm_stk_cell':
    case 'vm_stk_builder':
      return [each._, each.cell.hash().toString('hex')]
    default:
      return each._
  }
}

/** The same value for @ton/core, which knows no NaN here, and no slices but whole ones. */
const tonCoreItem = (each: StackValue): TupleItem => {
  switch (each._) {
    case 'vm_stk_tuple':
      return { type: 'tuple', items: each.data.map(tonCoreItem) }
    case 'vm_stk_int':
      return { type: 'int', value: each.value }
    case 'vm_stk_nan':
      return { type: 'nan' }
    case 'vm_stk_cell':
      return { type: 'cell', cell: toTonCore(each.cell) }
    case 'vm_stk_builder':
      return { type: 'builder', cell: toTonCore(each.cell) }
    case 'vm_stk_slice':
      return { type: 'slice', cell: toTonCore(sliceToCell(openCellSlice(each))) }
    default:
      return { type: 'null' }
  }
}

const ordinaryOnly = fc.letrec<{ value: StackValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    integer.map((each): StackValue => ({ _: 'vm_stk_int', value: each })),
    ordinaryCell.map((cell): StackValue => ({ _: 'vm_stk_cell', cell })),
    fc.array(tie('value'), { maxLength: 5 }).map(stackTuple),
  ),
})).value

describe('stacks', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(stack, (values) => {
        const back = parseStack(parseBocRoot(cellToBoc(buildStack(values))))
        expect(back.map(shown)).toEqual(values.map(shown))
        expect(buildStack(back).hash()).toEqual(buildStack(values).hash())
      }),
    )
  })

  test('are the cells that @ton/core makes, and the other way round', () => {
    fc.assert(
      fc.property(fc.array(ordinaryOnly, { maxLength: 8 }), (values) => {
        const theirs = serializeTuple(values.map(tonCoreItem))
        expect(buildStack(values).hash()).toEqual(fromTonCore(theirs).hash())
        expect(parseTuple(toTonCore(buildStack(values))).length).toBe(values.length)
      }),
    )
  })

  test('broken bytes give a typed error or a stack, at once', () => {
    fc.assert(
      fc.property(stack, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (values, flips) => {
        const bytes = serializeBoc([buildStack(values)], { crc: false })
        for (const flip of flips) bytes[(flip >> 3) % bytes.length]! ^= 128 >> (flip & 7)
        const started = performance.now()
        const outcome = failureOf(() => parseStack(parseBocRoot(bytes)))
        expect(['none', 'malformed', 'limit']).toContain(outcome)
        expect(performance.now() - started).toBeLessThan(1000)
      }),
    )
  })
})
