import { describe, expect, test } from 'bun:test'
import type { Param } from '../../../../src/api/v2/param.ts'
import { MAX_NESTED_VALUES, MAX_STACK_CELLS } from '../../../../src/api/v2/stack-input.ts'
import { legacyStack, methodParam, stdStack } from '../../../../src/api/v2/stack-param.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { buildStack, parseStack, stackInt } from '../../../../src/ton/stack.ts'
import { treeText } from '../../../support/cell-tree.ts'

const take = <T>(param: Param<T>, sent: Json | undefined, name: string): T | string => {
  try {
    return param.read(sent, name)
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

describe('a method', () => {
  test('is a name, a number, or a text that is a number', () => {
    for (const sent of ['seqno', 85143, '85143', '0x14c97', 85143n])
      expect(take(methodParam, sent, 'method')).toBe(85143)
    expect(take(methodParam, '-1', 'method')).toBe(-1)
    expect(take(methodParam, '-0x1', 'method')).toBe(-1)
    expect(take(methodParam, 0, 'method')).toBe(0)
  })

  test('has to be there, and within 32 bits', () => {
    for (const sent of [undefined, null, '']) expect(take(methodParam, sent, 'method')).toBe('refused: empty method')
    for (const sent of [2 ** 31, '2147483648', -(2 ** 31) - 1, 2n ** 80n, 1.5, true, [], {}])
      expect(take(methodParam, sent, 'method')).toBe('refused: failed to parse method')
  })
})

describe('arguments', () => {
  const legacy = legacyStack({})
  const std = stdStack({})
  const values = (stack: Cell | string): unknown => (typeof stack === 'string' ? stack : parseStack(stack))

  test('are none when they are not sent', () => {
    for (const param of [legacy, std])
      for (const sent of [undefined, null, []]) expect(values(take(param, sent, 'stack'))).toEqual([])
  })

  test('are read in their order, the first one deepest', () => {
    expect(
      values(
        take(
          legacy,
          [
            ['num', 1],
            ['num', '0x2'],
          ],
          'stack',
        ),
      ),
    ).toEqual([stackInt(1), stackInt(2)])
    const three = { '@type': 'tvm.stackEntryNumber', number: { number: '3' } }
    expect(values(take(std, [three], 'stack'))).toEqual([stackInt(3)])
  })

  test('have one key for one stack, whatever its spelling', () => {
    const key = (sent: Json): string => legacy.key(legacy.read(sent, 'stack'))
    expect(key([['num', 10]])).toBe(key([['int', '0xa']]))
    expect(key([['num', 10]])).not.toBe(key([['num', 11]]))
    expect(legacy.key(buildStack([stackInt(10)]))).toBe(key([['num', '10']]))
  })

  test('must be a list, and must fit a stack', () => {
    for (const sent of ['[]', 5, {}, true])
      expect(values(take(legacy, sent, 'stack'))).toBe('refused: failed to parse stack')
    const many = (n: number): Json => Array.from({ length: n }, () => ['num', 1])
    expect(values(take(legacy, many(8_001), 'stack'))).toBe('refused: failed to parse stack')
    expect(values(take(legacy, many(1_100), 'stack'))).toBe('refused: TVM stack size exceeds limit')
    expect((values(take(legacy, many(1_000), 'stack')) as unknown[]).length).toBe(1_000)
  })
})

describe('cells of arguments', () => {
  const [legacy, std] = [legacyStack({}), stdStack({})]
  const TOO_MANY = 'refused: arguments of more than 2048 cells'
  const cell = (text: string): Json => ['tvm.Cell', text]
  const typed = (bytes: string): Json => ({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } })

  test('are as many as the bound allows, and no more', () => {
    const [most, more] = [treeText(MAX_STACK_CELLS), treeText(MAX_STACK_CELLS + 1)]
    expect(take(legacy, [cell(most)], 'stack')).not.toBeString()
    expect(take(legacy, [cell(more)], 'stack')).toBe(TOO_MANY)
    expect(take(std, [typed(most)], 'stack')).not.toBeString()
    expect(take(std, [typed(more)], 'stack')).toBe(TOO_MANY)
  })

  test('are counted over all of them, wherever they stand', () => {
    const half = MAX_STACK_CELLS / 2
    const list = (...elements: Json[]): Json => ['tvm.Tuple', { '@type': 'tvm.tuple', elements }]
    const [first, second, third] = [treeText(half, 1), treeText(half, 2), treeText(1, 3)]
    expect(take(legacy, [cell(first), ['tvm.Slice', second]], 'stack')).not.toBeString()
    expect(take(legacy, [cell(first), ['tvm.Slice', second], cell(third)], 'stack')).toBe(TOO_MANY)
    expect(take(legacy, [cell(first), list(typed(second), typed(third))], 'stack')).toBe(TOO_MANY)
    expect(take(legacy, [cell(first), cell(first), cell(third)], 'stack')).toBe(TOO_MANY)
  })

  test('are counted anew for each call', () => {
    const most = [cell(treeText(MAX_STACK_CELLS))]
    for (let i = 0; i < 3; i++) expect(take(legacy, most, 'stack')).not.toBeString()
  })
})

test('values inside of tuples and lists are counted over all arguments', () => {
  const legacy = legacyStack({})
  const number: Json = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '7' } }
  const tuple = (count: number): Json => ['tuple', { elements: Array(count).fill(number) }]
  const half = MAX_NESTED_VALUES / 2
  expect(take(legacy, [tuple(half), tuple(half)], 'stack')).not.toBeString()
  expect(take(legacy, [tuple(half), tuple(half), tuple(1)], 'stack')).toBe('refused: TVM stack size exceeds limit')
})
