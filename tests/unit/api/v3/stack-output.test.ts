import { describe, expect, test } from 'bun:test'
import { MAX_RESULT_CELLS } from '../../../../src/api/stack-bag.ts'
import { stackEntries } from '../../../../src/api/v3/stack-output.ts'
import { isTonlithError } from '../../../../src/common/errors.ts'
import { cellToBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { type StackValue, stackSlice, stackTuple } from '../../../../src/ton/stack.ts'
import { cellTree } from '../../../support/cell-tree.ts'

const failure = (stack: readonly StackValue[]): unknown => {
  try {
    stackEntries(stack)
  } catch (error) {
    if (isTonlithError(error)) return [error.kind, error.code, error.message]
    throw error
  }
  return 'none'
}

const cellOf = (count: number, salt = 0): StackValue => ({ _: 'vm_stk_cell', cell: cellTree(count, salt) })

test('cells, and slices of all and of a part of one', () => {
  const cell = beginCell().uint(0b10110, 5).endCell()
  const part = stackSlice(cell)
  if (part._ !== 'vm_stk_slice') throw new Error('no slice')
  const bag = cellToBoc(cell).toString('base64')
  expect(stackEntries([{ _: 'vm_stk_cell', cell }, part, { ...part, st_bits: 1 }])).toEqual([
    { type: 'cell', value: bag },
    { type: 'slice', value: bag },
    { type: 'slice', value: cellToBoc(beginCell().uint(0b0110, 4).endCell()).toString('base64') },
  ])
})

describe('is bounded as in API v2', () => {
  test('in cells, over all values, each counted once', () => {
    const refused = ['unsupported', 422, 'Result stack cells > 8192']
    expect(failure([cellOf(MAX_RESULT_CELLS)])).toBe('none')
    expect(failure([cellOf(MAX_RESULT_CELLS + 1)])).toEqual(refused)
    const half = cellOf(MAX_RESULT_CELLS / 2)
    expect(failure([half, half, half, stackTuple([half])])).toBe('none')
    expect(failure([half, stackTuple([cellOf(MAX_RESULT_CELLS / 2, 1), cellOf(1, 2)])])).toEqual(refused)
  })

  test('in bytes, however often one cell lies on the stack', () => {
    let large = beginCell().endCell()
    for (let i = 0; i < 100; i++) large = beginCell().bytes(Buffer.alloc(120, i)).ref(large).endCell()
    const many = Array<StackValue>(7_999).fill({ _: 'vm_stk_cell', cell: large })
    expect(failure(many)).toEqual(['unsupported', 500, 'Result stack bytes >= 4194304'])
  })

  test('in depth', () => {
    const nested = (depth: number): StackValue => (depth === 0 ? cellOf(1) : stackTuple([nested(depth - 1)]))
    expect(failure([nested(1_000)])).toEqual(['unsupported', 501, expect.stringContaining('nests deeper than ')])
  })
})
