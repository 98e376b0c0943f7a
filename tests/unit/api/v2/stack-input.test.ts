import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  MAX_STACK_NESTING,
  readLegacyEntry,
  readStdEntry,
  type StackAllowance,
  stackAllowance,
} from '../../../../src/api/v2/stack-input.ts'
import { TonlithError } from '../../../../src/common/errors.ts'
import { type Json, parseJson } from '../../../../src/common/lossless-json.ts'
import { cellToBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { STACK_NULL, type StackValue, stackInt, stackTuple } from '../../../../src/ton/stack.ts'
import { libraryCell, proofCell, prunedCell, updateCell } from '../../../support/exotic-cells.ts'

const cell = beginCell().uint(0xabcd, 16).ref(beginCell().endCell()).endCell()
const BOC = cellToBoc(cell).toString('base64')
const BAD_BOC = Buffer.from('not a bag of cells').toString('base64')

/** The entry that was read, with cells as their hashes; the refusal otherwise, with its status where it is not 422. */
const taken = (read: (entry: Json, left: StackAllowance) => StackValue, entry: Json): unknown => {
  try {
    const value = read(entry, stackAllowance())
    return 'cell' in value ? [value._, value.cell.hash().toString('hex')] : value
  } catch (error) {
    if (!(error instanceof TonlithError)) throw error
    return error.kind === 'invalid' ? error.message : `${error.kind} ${error.code} ${error.message}`
  }
}
const legacy = (entry: Json): unknown => taken(readLegacyEntry, entry)
const std = (entry: Json): unknown => taken(readStdEntry, entry)

const HASH = cell.hash().toString('hex')
const number = (value: Json): Json => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: value },
})
const list = (...elements: Json[]): Json => ({ '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } })
const tuple = (...elements: Json[]): Json => ({
  '@type': 'tvm.stackEntryTuple',
  tuple: { '@type': 'tvm.tuple', elements },
})

test('an exotic cell is taken as a cell, not as a slice', () => {
  const library = libraryCell(Buffer.alloc(32, 7))
  const exotic = [library, proofCell(cell), updateCell(cell, cell)]
  for (const bytes of exotic.map((each) => cellToBoc(each).toString('base64'))) {
    const refusal = 'Invalid slice, exotic cell'
    expect(legacy(['slice', { bytes }])).toBe(refusal)
    expect(legacy(['tvm.Slice', bytes])).toBe(refusal)
    expect(std({ '@type': 'tvm.stackEntrySlice', slice: { bytes } })).toBe(refusal)
    expect(std(tuple({ '@type': 'tvm.stackEntrySlice', slice: { bytes } }))).toBe(refusal)
  }
  const hash = library.hash().toString('hex')
  expect(legacy(['tvm.Cell', cellToBoc(library).toString('base64')])).toEqual(['vm_stk_cell', hash])
})

test('a part of a proof is no cell of its own', () => {
  const pruned = prunedCell(1, [Buffer.alloc(32)], [3])
  const refusal = 'INVALID_BAG_OF_CELLS: bag of cells has a root with non-zero level'
  for (const part of [pruned, beginCell().ref(pruned).endCell()]) {
    const bytes = cellToBoc(part).toString('base64')
    expect(legacy(['cell', { bytes }])).toBe(refusal)
    expect(std({ '@type': 'tvm.stackEntryCell', cell: { bytes } })).toBe(refusal)
    expect(std({ '@type': 'tvm.stackEntrySlice', slice: { bytes } })).toBe(refusal)
  }
})

describe('legacy entries', () => {
  test('numbers', () => {
    for (const type of ['num', 'int', 'number', 'integer'])
      for (const value of [5, '5', '0x5', '+5'] as const) expect(legacy([type, value])).toEqual(stackInt(5))
    expect(legacy(['num', '-0x5'])).toEqual(stackInt(-5))
    expect(legacy(['num', String(2n ** 256n - 1n)])).toEqual(stackInt(2n ** 256n - 1n))
  })

  test('numbers in JSON keep every digit', () => {
    const entry = parseJson('["num", 9223372036854775807]')
    expect(legacy(entry)).toEqual(stackInt(9223372036854775807n))
    expect(
      legacy(parseJson('["num", -115792089237316195423570985008687907853269984665640564039457584007913129639936]')),
    ).toEqual(stackInt(-(2n ** 256n)))
  })

  test('bad numbers', () => {
    expect(legacy(['num', 'zz'])).toBe('Invalid number: zz')
    expect(legacy(['num', ''])).toBe('Invalid number: ')
    expect(legacy(['num', 2n ** 256n])).toStartWith('Invalid number: 1157')
    expect(legacy(['num', '9'.repeat(1_000_000)])).toHaveLength('Invalid number: '.length + 81)
    for (const value of [null, true, 1.5, 1e300, [], {}])
      expect(legacy(['num', value])).toBe('Wrong type of number in stack entry')
  })

  test('cells and slices', () => {
    expect(legacy(['tvm.Cell', BOC])).toEqual(['vm_stk_cell', HASH])
    expect(legacy(['cell', { bytes: BOC, object: 'anything' }])).toEqual(['vm_stk_cell', HASH])
    expect(legacy(['tvm.Slice', BOC])).toEqual(['vm_stk_slice', HASH])
    expect(legacy(['slice', { bytes: BOC }])).toEqual(['vm_stk_slice', HASH])
  })

  test('bad cells and slices', () => {
    for (const type of ['tvm.Cell', 'tvm.Slice']) {
      expect(legacy([type, ''])).toBe(`Empty ${type}`)
      for (const value of [5, { bytes: BOC }, null])
        expect(legacy([type, value])).toBe(`Invalid ${type}, base64 string expected`)
      expect(legacy([type, 'a-_b'])).toBe('invalid base64 encoded bytes: a-_b')
      expect(legacy([type, 'abc'])).toBe('invalid base64 encoded bytes: abc')
      expect(legacy([type, BAD_BOC])).toStartWith('INVALID_BAG_OF_CELLS: ')
    }
    for (const type of ['cell', 'slice']) {
      expect(legacy([type, { bytes: '' }])).toBe(`Empty ${type}`)
      for (const value of [BOC, {}, { bytes: 5 }, null, [BOC]])
        expect(legacy([type, value])).toBe(`Invalid ${type}, object with field bytes expected`)
    }
  })

  test('tuples and lists hold typed entries', () => {
    const inside = [number('1'), list(), tuple(number('-2'))]
    const expected = [stackInt(1), STACK_NULL, stackTuple([stackInt(-2)])]
    for (const type of ['tuple', 'tvm.Tuple'])
      expect(legacy([type, { '@type': 'tvm.tuple', elements: inside }])).toEqual(stackTuple(expected))
    for (const type of ['list', 'tvm.List'])
      expect(legacy([type, { '@type': 'tvm.list', elements: [number('1'), number('2')] }])).toEqual(
        stackTuple([stackInt(1), stackTuple([stackInt(2), STACK_NULL])]),
      )
    expect(legacy(['list', { elements: [] }])).toEqual(STACK_NULL)
  })

  test('bad tuples and lists', () => {
    for (const value of ['', 5, null, [], {}, { elements: 5 }]) {
      expect(legacy(['tuple', value])).toBe('Invalid tvm.Tuple, valid tvm_stackEntryTuple expected')
      expect(legacy(['tvm.List', value])).toBe('Invalid tvm.List, valid tvm_stackEntryList expected')
    }
    expect(legacy(['tuple', { '@type': 'tvm.list', elements: [] }])).toBe('failed to parse stack')
    expect(legacy(['tuple', { elements: [['num', 5]] }])).toBe('failed to parse stack')
  })

  test('kinds that the reference does not take', () => {
    for (const type of ['null', 'tvm.Builder', 'builder', 'string', ''])
      expect(legacy([type, BOC])).toBe(`unsupported 542 Unsupported stack entry type: ${type}`)
  })

  test('what is no pair', () => {
    expect(legacy(['num'])).toBe('Too short array, minimum length=2, given=1')
    expect(legacy([])).toBe('Too short array, minimum length=2, given=0')
    expect(legacy(['num', 1, 2])).toBe('Too long array, maximum length=2, given=3')
    expect(legacy([5, 5])).toBe('Expected string as first element in stack entry')
    for (const entry of [5, 'num', null, { 0: 'num', 1: 5 }]) expect(legacy(entry)).toBe('failed to parse stack')
  })
})

describe('typed entries', () => {
  test('of every kind', () => {
    expect(std(number('-12'))).toEqual(stackInt(-12))
    expect(std(number('0xff'))).toEqual(stackInt(255))
    expect(std(number(7))).toEqual(stackInt(7))
    expect(std({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: BOC } })).toEqual([
      'vm_stk_cell',
      HASH,
    ])
    expect(std({ '@type': 'tvm.stackEntrySlice', slice: { bytes: BOC } })).toEqual(['vm_stk_slice', HASH])
    expect(std(tuple(number('1'), tuple()))).toEqual(stackTuple([stackInt(1), stackTuple([])]))
    expect(std(list())).toEqual(STACK_NULL)
    expect(std(list(number('1')))).toEqual(stackTuple([stackInt(1), STACK_NULL]))
  })

  test('that are wrong', () => {
    expect(std(number('zz'))).toBe("Failed to parse int256: 'zz'")
    expect(std(number('NaN'))).toBe("Failed to parse int256: 'NaN'")
    expect(std({ '@type': 'tvm.foo' })).toBe("Unknown discriminator field value 'tvm.foo'")
    expect(std({ '@type': 'tvm.stackEntryUnsupported' })).toBe('unsupported 500 Unsuppored stack entry')
    const wrong: Json[] = [
      5,
      null,
      [],
      {},
      { '@type': 5 },
      { '@type': 'tvm.stackEntryNumber' },
      { '@type': 'tvm.stackEntryNumber', number: '5' },
      { '@type': 'tvm.stackEntryNumber', number: { bytes: 'x' } },
      { '@type': 'tvm.stackEntryNumber', number: { number: null } },
      { '@type': 'tvm.stackEntryNumber', number: { number: {} } },
      { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.cell', number: '5' } },
      { '@type': 'tvm.stackEntryCell', cell: { bytes: 5 } },
      { '@type': 'tvm.stackEntryTuple', tuple: { elements: {} } },
      { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.tuple', elements: [] } },
    ]
    for (const entry of wrong) expect(std(entry)).toBe('failed to parse stack')
  })

  test('nest no deeper than they may', () => {
    const nested = (depth: number, wrap: (...elements: Json[]) => Json): Json => {
      let entry = number('1')
      for (let i = 0; i < depth; i++) entry = wrap(entry)
      return entry
    }
    for (const wrap of [tuple, list]) {
      expect(typeof std(nested(MAX_STACK_NESTING, wrap))).toBe('object')
      expect(std(nested(MAX_STACK_NESTING + 1, wrap))).toBe('stack nested deeper than 256')
    }
    expect(legacy(['tuple', { elements: [nested(MAX_STACK_NESTING, tuple)] }])).toBe('stack nested deeper than 256')
  })
})

test('any JSON is read or refused in so many words', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom('num', 'cell', 'tvm.Cell', 'slice', 'tuple', 'list', 'x'),
      (value, type) => {
        for (const entry of [value, [type, value], { '@type': 'tvm.stackEntryTuple', tuple: value }]) {
          legacy(entry as Json)
          std(entry as Json)
        }
      },
    ),
  )
})
