import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  isJsonObject,
  type Json,
  MAX_INTEGER_LENGTH,
  MAX_JSON_DEPTH,
  parseJson,
  stringifyJson,
} from '../../../src/common/lossless-json.ts'
import { failureOf } from '../../support/failure.ts'

describe('integers', () => {
  test('beyond 2^53 arrive as bigint with every digit', () => {
    expect(parseJson('{"lt":53912345000000001,"shard":-9223372036854775808}')).toEqual({
      lt: 53912345000000001n,
      shard: -9223372036854775808n,
    })
    expect(parseJson('9007199254740993')).toBe(9007199254740993n)
    expect(parseJson(`[${'9'.repeat(300)}]`)).toEqual([BigInt('9'.repeat(300))])
  })

  test('within 2^53 arrive as number, also beside long ones', () => {
    expect(parseJson('[9007199254740991,-9007199254740991,1,0,9007199254740992]')).toEqual([
      9007199254740991,
      -9007199254740991,
      1,
      0,
      9007199254740992n,
    ])
  })

  test('in strings stay text', () => {
    expect(parseJson('["53912345000000001","\\"12345678901234567890"]')).toEqual([
      '53912345000000001',
      '"12345678901234567890',
    ])
  })

  test('written with a point or an exponent stay numbers', () => {
    const written = ['1.0', '1e3', '12345678901234567.5', '1234567890123456789e1']
    expect(parseJson(`[${written.join(',')}]`)).toEqual(written.map(Number))
  })

  test('of any length the API knows are read, longer ones are refused at once', () => {
    const long = '7'.repeat(MAX_INTEGER_LENGTH)
    expect(parseJson(`{"id":${long}}`)).toEqual({ id: BigInt(long) })
    expect(failureOf(() => parseJson(`{"id":${long}7}`))).toBe('limit')
    const start = performance.now()
    expect(failureOf(() => parseJson(`{"id":${'7'.repeat(1_000_000)}}`))).toBe('limit')
    expect(performance.now() - start).toBeLessThan(100)
    expect(parseJson(`["${long}7",0.${long}7]`)).toEqual([`${long}7`, Number(`0.${long}7`)])
  })
})

describe('nesting', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  test('up to the limit is read', () => {
    expect(failureOf(() => parseJson(nested(MAX_JSON_DEPTH)))).toBe('none')
    expect(failureOf(() => parseJson(nested(MAX_JSON_DEPTH - 1).replace('[]', '[12345678901234567890]')))).toBe('none')
  })

  test('beyond it is refused at once, however deep', () => {
    expect(failureOf(() => parseJson(nested(MAX_JSON_DEPTH + 1)))).toBe('limit')
    const start = performance.now()
    expect(failureOf(() => parseJson('{"a":'.repeat(200_000)))).toBe('limit')
    expect(performance.now() - start).toBeLessThan(1000)
  })

  test('in strings does not count', () => {
    expect(parseJson(JSON.stringify('['.repeat(10_000)))).toBe('['.repeat(10_000))
  })
})

test('what is no JSON is malformed', () => {
  for (const text of ['', ' ', '{', '[1,]', "{'a':1}", 'NaN', '01', '+1', '"\\x"', '"', '{"a":1}}', '1 2', '\\', '"\\'])
    expect(failureOf(() => parseJson(text))).toBe('malformed')
})

const withReviver = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

test('any text is read as JSON.parse reads it, but for the digits of integers', () => {
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', ',', ':', ' ', '\n', '"', '\\', '-', '.', 'e', 'E', '+', '0', '"a":', 'null'),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.double().map(String),
    fc.stringMatching(/^[0-9]{14,22}$/),
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `[1234567890123456789,${pieces.join('')}]`),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `{"a":${pieces.join('')}}`),
  )
  const expected = (json: string): unknown => {
    try {
      return withReviver(json, (_, value, { source = '' }) =>
        typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
      )
    } catch {
      return 'malformed'
    }
  }
  const found = (json: string): unknown => {
    const kind = failureOf(() => parseJson(json))
    return kind === 'none' ? parseJson(json) : kind
  }
  fc.assert(
    fc.property(text, (json) => {
      expect(found(json)).toEqual(expected(json))
    }),
    {
      numRuns: 3000,
      examples: [
        ['{12345678901234567890:1}'],
        ['{12345678901234567890\n:1}'],
        ['{"a":1,12345678901234567890 :1}'],
        ['[-12345678901234567890]'],
        ['[--12345678901234567890]'],
        ['[012345678901234567890]'],
        ['[1.12345678901234567890]'],
        ['[12345678901234567890.]'],
        ['[1e12345678901234567890]'],
        ['[12345678901234567890e-1]'],
        ['[12345678901234567890"x"]'],
      ],
    },
  )
})

test('the last of repeated keys counts, and no key reaches a prototype', () => {
  expect(parseJson('{"a":1,"a":12345678901234567890}')).toEqual({ a: 12345678901234567890n })
  const parsed = parseJson('{"__proto__":{"polluted":12345678901234567890}}') as { [key: string]: Json }
  expect(Object.hasOwn(parsed, '__proto__')).toBe(true)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('an object is told from arrays, null and scalars', () => {
  expect(isJsonObject({})).toBe(true)
  for (const other of [[], null, 'a', 1, 1n, true, undefined]) expect(isJsonObject(other)).toBe(false)
})

describe('writing', () => {
  test('gives bigint as bare digits and non-finite numbers as null', () => {
    expect(stringifyJson({ a: 2n ** 70n, b: [-1n, Number.NaN, 1.5], c: null, '@type': 'x"y' })).toBe(
      '{"a":1180591620717411303424,"b":[-1,null,1.5],"c":null,"@type":"x\\"y"}',
    )
  })

  test('is undone by reading', () => {
    const big = fc.bigInt({ min: 2n ** 53n, max: 2n ** 300n })
    const exact = fc.oneof(
      big,
      big.map((value) => -value),
    )
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null), exact),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('json'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJson(stringifyJson(value))).toEqual(value)
      }),
    )
  })
})
