import { describe, expect, test } from 'bun:test'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { serializeBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { MAX_DEPTH } from '../../../src/ton/cell.ts'
import {
  buildStack,
  buildStackValue,
  MAX_STACK_VALUES,
  openCellSlice,
  parseStack,
  STACK_NULL,
  type StackValue,
  stackInt,
  stackSlice,
  stackTuple,
} from '../../../src/ton/stack.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedRuns, runResult } from '../../support/recorded-runs.ts'
import { parseStackValue } from '../../support/stack-value.ts'

const MIN_INT = -(2n ** 256n)
const MAX_INT = 2n ** 256n - 1n
const NAN: StackValue = { _: 'vm_stk_nan' }

const nested = (depth: number, inner: StackValue): StackValue => {
  let value = inner
  for (let i = 0; i < depth; i++) value = stackTuple([value])
  return value
}

describe('recorded stacks', () => {
  const runs = recordedRuns()
  const stacks = runs.flatMap((run) => {
    const result = runResult(run)?.result
    return [run.request.params, result].filter((bytes): bytes is Buffer => bytes !== undefined && bytes.length > 0)
  })
  const readable = stacks.filter((bytes) => failureOf(() => parseBocRoot(bytes)) === 'none')

  test('every one parses, and is written as the node wrote it', () => {
    expect(readable.length).toBeGreaterThan(400)
    for (const bytes of readable) {
      const cell = parseBocRoot(bytes)
      expect(buildStack(parseStack(cell)).hash().equals(cell.hash())).toBe(true)
    }
  })

  test('results are equal to the byte', () => {
    const results = runs.flatMap((run) => runResult(run)?.result ?? []).filter((bytes) => bytes.length > 0)
    expect(results.length).toBeGreaterThan(200)
    for (const bytes of results)
      expect(serializeBoc([buildStack(parseStack(parseBocRoot(bytes)))], { crc: false }).equals(bytes)).toBe(true)
  })

  test('nearly every kind of value occurs', () => {
    const kinds = new Set<string>()
    const note = (value: StackValue): void => {
      kinds.add(value._)
      if (value._ === 'vm_stk_tuple') value.data.forEach(note)
    }
    for (const bytes of readable) parseStack(parseBocRoot(bytes)).forEach(note)
    expect([...kinds].sort()).toEqual([
      'vm_stk_builder',
      'vm_stk_cell',
      'vm_stk_int',
      'vm_stk_null',
      'vm_stk_slice',
      'vm_stk_tuple',
    ])
  })
})

describe('integers', () => {
  const hex = (value: StackValue): string => {
    const cell = buildStackValue(value)
    return Buffer.from(cell.bytes.subarray(cell.start)).toString('hex')
  }

  test('take 64 bits where they fit, 257 where they do not', () => {
    expect(hex(stackInt(0))).toBe('010000000000000000')
    expect(hex(stackInt(-1))).toBe('01ffffffffffffffff')
    expect(hex(stackInt(2n ** 63n - 1n))).toBe('017fffffffffffffff')
    expect(hex(stackInt(-(2n ** 63n)))).toBe('018000000000000000')
    expect(hex(stackInt(2n ** 63n))).toStartWith('02000000')
    expect(hex(stackInt(MIN_INT))).toBe(`0201${'00'.repeat(32)}`)
    expect(hex(stackInt(MAX_INT))).toBe(`0200${'ff'.repeat(32)}`)
    expect(hex(NAN)).toBe('02ff')
  })

  test('reach to both ends and no further', () => {
    for (const value of [MIN_INT, MAX_INT]) expect(parseStack(buildStack([stackInt(value)]))).toEqual([stackInt(value)])
    for (const value of [MIN_INT - 1n, MAX_INT + 1n])
      expect(failureOf(() => buildStack([stackInt(value)]))).toBe('limit')
  })
})

describe('tuples', () => {
  test('of every length', () => {
    for (const length of [0, 1, 2, 3, 4, 17, 255]) {
      const value = stackTuple(Array.from({ length }, (_, i) => stackInt(i)))
      expect(parseStackValue(buildStackValue(value))).toEqual(value)
    }
  })

  test('nest as deep as cells do', () => {
    const value = nested(MAX_DEPTH, STACK_NULL)
    expect(parseStack(buildStack([value]))).toEqual([value])
    expect(failureOf(() => buildStack([nested(MAX_DEPTH + 1, STACK_NULL)]))).toBe('limit')
  })

  test('keep all kinds of values apart', () => {
    const cell = beginCell().uint(5, 13).ref(beginCell().endCell()).endCell()
    const value = stackTuple([
      STACK_NULL,
      NAN,
      { _: 'vm_stk_cell', cell },
      stackSlice(cell),
      { _: 'vm_stk_builder', cell },
      stackTuple([]),
    ])
    const [parsed] = parseStack(buildStack([value]))
    expect(buildStackValue(parsed!).hash()).toEqual(buildStackValue(value).hash())
    expect(parsed?._ === 'vm_stk_tuple' && parsed.data.map((each) => each._)).toEqual([
      'vm_stk_null',
      'vm_stk_nan',
      'vm_stk_cell',
      'vm_stk_slice',
      'vm_stk_builder',
      'vm_stk_tuple',
    ])
  })
})

describe('slices', () => {
  const cell = beginCell().uint(0xabc, 12).ref(beginCell().endCell()).endCell()
  const entry = (st_bits: number, end_bits: number, st_ref: number, end_ref: number) =>
    beginCell().uint(4, 8).ref(cell).uint(st_bits, 10).uint(end_bits, 10).uint(st_ref, 3).uint(end_ref, 3).endCell()

  test('show their window only', () => {
    const value = parseStackValue(entry(4, 12, 1, 1))
    if (value._ !== 'vm_stk_slice') throw new Error('no slice')
    const slice = openCellSlice(value)
    expect(slice.remainingRefs).toBe(0)
    expect(slice.uint(8)).toBe(0xbc)
    expect(slice.remainingBits).toBe(0)
  })

  test('must lie inside of their cell', () => {
    const outside = [entry(5, 4, 0, 0), entry(0, 13, 0, 0), entry(0, 12, 0, 2), entry(0, 12, 1, 0)]
    for (const broken of outside) expect(failureOf(() => parseStackValue(broken))).toBe('malformed')
  })
})

describe('hostile stacks', () => {
  test('few cells that stand for very many values are refused', () => {
    let value = buildStackValue(stackInt(1))
    for (let i = 0; i < 40; i++) value = beginCell().uint(7, 8).uint(2, 16).ref(value).ref(value).endCell()
    expect(failureOf(() => parseStackValue(value))).toBe('limit')
  })

  test('more values than a stack holds', () => {
    const many = (n: number) => stackTuple(Array.from({ length: n }, () => STACK_NULL))
    const top = Array.from({ length: 32 }, () => many(249))
    expect(32 * 250).toBe(MAX_STACK_VALUES)
    expect(parseStack(buildStack(top)).length).toBe(32)
    expect(failureOf(() => buildStack([...top, STACK_NULL]))).toBe('limit')
    expect(
      failureOf(() =>
        parseStack(
          beginCell()
            .uint(MAX_STACK_VALUES + 1, 24)
            .endCell(),
        ),
      ),
    ).toBe('limit')
  })

  test('broken ones are malformed', () => {
    const empty = beginCell().endCell()
    const broken = [
      empty,
      beginCell().uint(1, 24).endCell(),
      beginCell().uint(0, 24).bit(true).endCell(),
      beginCell().uint(1, 24).ref(empty).uint(8, 8).endCell(),
      beginCell().uint(1, 24).ref(empty).uint(1, 8).endCell(),
      beginCell().uint(1, 24).ref(empty).uint(0, 8).ref(empty).endCell(),
      beginCell().uint(1, 24).ref(empty).uint(0x0202, 16).uint(0, 250).endCell(),
      beginCell().uint(1, 24).ref(empty).uint(7, 8).uint(3, 16).ref(empty).ref(empty).endCell(),
      beginCell().uint(2, 24).ref(empty).uint(0, 8).endCell(),
    ]
    for (const cell of broken) expect(failureOf(() => parseStack(cell))).toBe('malformed')
  })
})
