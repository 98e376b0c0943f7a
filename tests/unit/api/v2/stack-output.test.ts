import { describe, expect, test } from 'bun:test'
import { MAX_RESULT_CELLS } from '../../../../src/api/stack-bag.ts'
import { type Dialect, type Neutral, render } from '../../../../src/api/v2/dialect.ts'
import { MAX_CELL_NODES } from '../../../../src/api/v2/stack-cell.ts'
import { legacyStackEntries, stdStackEntries } from '../../../../src/api/v2/stack-output.ts'
import { TonlithError } from '../../../../src/common/errors.ts'
import { type Json, stringifyJson } from '../../../../src/common/lossless-json.ts'
import { cellToBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice, stackTuple } from '../../../../src/ton/stack.ts'
import { cellTree } from '../../../support/cell-tree.ts'

const empty = beginCell().endCell()
const cell = beginCell().uint(0b10110, 5).ref(empty).endCell()
const bytes = cellToBoc(cell).toString('base64')
const NAN: StackValue = { _: 'vm_stk_nan' }
const CELL: StackValue = { _: 'vm_stk_cell', cell }
const BUILDER: StackValue = { _: 'vm_stk_builder', cell }
const CONT: StackValue = { _: 'vm_stk_cont', cont: beginParse(cell) }

const legacy = (value: StackValue, dialect: Dialect = 'spec'): Json =>
  (render(legacyStackEntries([value]), dialect) as Json[])[0]!
const std = (value: StackValue, dialect: Dialect = 'spec'): Json =>
  (render(stdStackEntries([value]), dialect) as Json[])[0]!

const failure = (write: () => Neutral): unknown => {
  try {
    write()
  } catch (error) {
    if (error instanceof TonlithError) return [error.kind, error.code, error.message]
    throw error
  }
  return 'none'
}

const OBJECT = {
  data: { b64: Buffer.from([0b10110100]).toString('base64'), len: 5 },
  refs: [{ data: { b64: '', len: 0 }, refs: [], special: false }],
  special: false,
}
const stdNumber = (number: string) => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number },
})
const stdList = (...elements: Json[]) => ({ '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } })
const stdCell = { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } }

describe('legacy entries', () => {
  test('of every kind', () => {
    expect(legacy(stackInt(-255))).toEqual(['num', '-0xff'])
    expect(legacy(stackInt(0))).toEqual(['num', '0x0'])
    expect(legacy(CELL)).toEqual(['cell', { bytes, object: OBJECT }])
    expect(legacy(stackSlice(cell))).toEqual(['cell', { bytes, object: OBJECT }])
    expect(legacy(STACK_NULL)).toEqual(['list', { '@type': 'tvm.list', elements: [] }])
    expect(legacy(stackTuple([]))).toEqual(['tuple', { '@type': 'tvm.tuple', elements: [] }])
    expect(legacy(stackTuple([stackInt(7), STACK_NULL, CELL]))).toEqual([
      'tuple',
      { '@type': 'tvm.tuple', elements: [stdNumber('7'), stdList(), stdCell] },
    ])
  })

  test('a slice is what is left of it', () => {
    const rest: StackValue = { _: 'vm_stk_slice', cell, st_bits: 2, end_bits: 5, st_ref: 1, end_ref: 1 }
    const left = beginCell().uint(0b110, 3).endCell()
    expect(legacy(rest)).toMatchObject(['cell', { bytes: cellToBoc(left).toString('base64') }])
  })

  test('chains of pairs that end in null are lists', () => {
    const pair = stackTuple([stackInt(1), STACK_NULL])
    expect(legacy(pair)).toEqual(['list', { '@type': 'tvm.list', elements: [stdNumber('1')] }])
    expect(legacy(stackTuple([stackInt(2), pair]))).toMatchObject([
      'list',
      { elements: [stdNumber('2'), stdNumber('1')] },
    ])
    expect(legacy(stackTuple([pair, pair]))).toMatchObject([
      'list',
      { elements: [stdList(stdNumber('1')), stdNumber('1')] },
    ])
    expect(legacy(stackTuple([stackInt(2), stackInt(1)]))).toMatchObject(['tuple', {}])
  })

  test('what the reference has no form for', () => {
    expect(legacy(NAN)).toEqual(['num', 'NaN'])
    expect(legacy(BUILDER)).toEqual(['unsupported', ''])
    expect(legacy(CONT)).toEqual(['unsupported', ''])
    expect(legacy(stackTuple([NAN, BUILDER, CONT]))).toMatchObject([
      'tuple',
      {
        elements: [
          stdNumber('NaN'),
          { '@type': 'tvm.stackEntryUnsupported' },
          { '@type': 'tvm.stackEntryUnsupported' },
        ],
      },
    ])
  })

  test('the same in a form that deployed SDKs read', () => {
    expect(legacy(NAN, 'toncenter')).toEqual(['null', ''])
    expect(legacy(BUILDER, 'toncenter')).toEqual(['builder', { bytes }])
    expect(legacy(CONT, 'toncenter')).toEqual(['null', ''])
    expect(legacy(stackTuple([NAN, BUILDER, CONT]), 'toncenter')).toMatchObject([
      'tuple',
      { elements: [stdList(), stdCell, stdList()] },
    ])
  })
})

describe('typed entries', () => {
  test('of every kind, in both dialects', () => {
    const entries: [StackValue, Json][] = [
      [stackInt(-5), stdNumber('-5')],
      [NAN, stdNumber('NaN')],
      [CELL, stdCell],
      [stackSlice(cell), { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }],
      [STACK_NULL, stdList()],
      [stackTuple([stackInt(1), STACK_NULL]), stdList(stdNumber('1'))],
      [
        stackTuple([NAN]),
        { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [stdNumber('NaN')] } },
      ],
      [BUILDER, { '@type': 'tvm.stackEntryUnsupported' }],
      [CONT, { '@type': 'tvm.stackEntryUnsupported' }],
    ]
    for (const [value, entry] of entries)
      for (const dialect of ['spec', 'toncenter'] as const) expect(std(value, dialect)).toEqual(entry)
  })
})

describe('bounds', () => {
  const nested = (depth: number): StackValue => {
    let value: StackValue = stackTuple([])
    for (let i = 1; i < depth; i++) value = stackTuple([value])
    return value
  }

  test('of nesting', () => {
    for (const write of [legacyStackEntries, stdStackEntries]) {
      expect(failure(() => write([nested(256)]))).toBe('none')
      expect(failure(() => write([nested(257)]))).toEqual(['unsupported', 533, 'Result stack depth >= 256'])
    }
  })

  test('of a list there are none: it does not nest', () => {
    let value: StackValue = STACK_NULL
    for (let i = 0; i < 900; i++) value = stackTuple([stackInt(i), value])
    expect((legacy(value) as [string, { elements: Json[] }])[1].elements.length).toBe(900)
  })

  test('a tree of shared cells is not written out', () => {
    let shared = empty
    for (let i = 0; i < 60; i++) shared = beginCell().ref(shared).ref(shared).endCell()
    const entry = legacy({ _: 'vm_stk_cell', cell: shared }) as [string, Record<string, Json>]
    expect(Object.keys(entry[1])).toEqual(['bytes'])
  })

  test('all objects of an answer share one bound', () => {
    let tree: Cell = empty
    for (let i = 0; i < 10; i++) tree = beginCell().uint(i, 4).ref(tree).ref(tree).endCell()
    const value: StackValue = { _: 'vm_stk_cell', cell: tree }
    const entries = render(legacyStackEntries(Array(10).fill(value)), 'spec') as [string, Record<string, Json>][]
    expect(entries.filter(([, { object }]) => object).length).toBe(Math.floor(MAX_CELL_NODES / 2 ** 11))
  })

  test('the deepest cell is written out', () => {
    let deep = empty
    for (let i = 0; i < 1_024; i++) deep = beginCell().ref(deep).endCell()
    const text = stringifyJson(legacy({ _: 'vm_stk_cell', cell: deep }))
    expect(text.match(/"special":false/g)!.length).toBe(1_025)
  })

  test('of bytes, however often one cell lies on the stack', () => {
    let large: Cell = empty
    for (let i = 0; i < 100; i++) large = beginCell().bytes(Buffer.alloc(120, i)).ref(large).endCell()
    const many = Array<StackValue>(7_999).fill({ _: 'vm_stk_cell', cell: large })
    expect(failure(() => legacyStackEntries(many))).toEqual(['unsupported', 500, 'Result stack bytes >= 4194304'])
  })

  describe('of cells', () => {
    const refused = ['unsupported', 422, 'Result stack cells > 8192']
    const cellOf = (count: number, salt = 0): StackValue => ({ _: 'vm_stk_cell', cell: cellTree(count, salt) })
    const writers = [legacyStackEntries, stdStackEntries]

    test('over all values', () => {
      for (const write of writers) {
        expect(failure(() => write([cellOf(MAX_RESULT_CELLS)]))).toBe('none')
        expect(failure(() => write([cellOf(MAX_RESULT_CELLS + 1)]))).toEqual(refused)
        const half = MAX_RESULT_CELLS / 2
        expect(failure(() => write([cellOf(half), stackTuple([cellOf(half, 1)])]))).toBe('none')
        expect(failure(() => write([cellOf(half), stackTuple([cellOf(half, 1), cellOf(1, 2)])]))).toEqual(refused)
      }
    })

    test('each value once, as cell and as slice of all of it', () => {
      const tree = cellTree(3_000)
      const values: StackValue[] = Array(20).fill({ _: 'vm_stk_cell', cell: tree })
      for (const write of writers)
        expect(failure(() => write([...values, ...values.map(() => stackSlice(tree))]))).toBe('none')
    })

    test('many roots over one tree count it for each of them', () => {
      const tree = cellTree(1_000)
      const many = Array.from({ length: 100 }, (_, i): StackValue => {
        return { _: 'vm_stk_cell', cell: beginCell().uint(i, 8).ref(tree).endCell() }
      })
      for (const write of writers) expect(failure(() => write(many))).toEqual(refused)
    })
  })
})
