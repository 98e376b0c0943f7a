import { describe, expect, test } from 'bun:test'
import { queryOf } from '../../../../src/api/query.ts'
import { type CallContext, GET_POST, method, type ParamSource } from '../../../../src/api/v2/method.ts'
import { address, count, int32, int64 } from '../../../../src/api/v2/param.ts'
import { TonlithError } from '../../../../src/common/errors.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'

const from =
  (values: Record<string, Json>): ParamSource =>
  (name) =>
    values[name]

const described = { group: 'utils', summary: '', verbs: GET_POST, result: {} } as const

const page = method({
  ...described,
  name: 'page',
  params: {
    seqno: int32({ positive: true }),
    after: int64({ optional: true, nonNegative: true }),
    count: count({ default: 40, max: 100 }),
  },
  checkOrder: ['count', 'seqno'],
  validate: ({ after, seqno }) => {
    if (after !== undefined && after > BigInt(seqno)) throw new TonlithError('invalid', 'after is beyond')
  },
  cacheSeconds: ({ after }) => (after === undefined ? 1 : 300),
  call: ({ seqno, after, count }, { chain }: CallContext<{ name: string }>) => [
    chain.name,
    seqno,
    after ?? null,
    count,
  ],
})

const refusalOf = (values: Record<string, Json>): string | undefined => {
  try {
    page.prepare(from(values))
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

describe('a method', () => {
  test('gets typed values and the chain', async () => {
    const call = page.prepare(from({ seqno: '5', after: '3', count: 7 }))
    const signal = AbortSignal.abort()
    expect(await call.run({ chain: { name: 'x' }, signal })).toEqual(['x', 5, 3n, 7])
  })

  test('reads all parameters before it checks any bound', () => {
    expect(refusalOf({ seqno: '0', count: 'x' })).toBe('failed to parse count')
  })

  test('checks bounds in its own order, then the others, then the rules between them', () => {
    expect(refusalOf({ seqno: '0', after: '-1', count: '0' })).toBe('count should be positive')
    expect(refusalOf({ seqno: '0', after: '-1' })).toBe('seqno should be positive')
    expect(refusalOf({ seqno: '1', after: '-1' })).toBe('after should be non-negative')
    expect(refusalOf({ seqno: '1', after: '2' })).toBe('after is beyond')
    expect(refusalOf({ seqno: '1', after: '1' })).toBeUndefined()
  })

  test('has one key for equal questions, another for each other one', () => {
    const key = (values: Record<string, Json>) => page.prepare(from(values)).key
    expect(key({ seqno: '5' })).toBe(key({ seqno: 5, count: '40' }))
    const others = [{ seqno: 5 }, { seqno: 5, after: 4 }, { seqno: 5, count: 4 }, { seqno: 54 }]
    expect(new Set(others.map(key)).size).toBe(4)
  })

  test('tells how long its answer holds', () => {
    expect(page.prepare(from({ seqno: 5 })).cacheSeconds).toBe(1)
    expect(page.prepare(from({ seqno: 5, after: 1 })).cacheSeconds).toBe(300)
  })

  test('without a rule for it is never stored', () => {
    const plain = method({ ...described, name: 'plain', params: { address: address({}) }, call: () => null })
    expect(plain.prepare(from({ address: `0:${'a'.repeat(64)}` })).cacheSeconds).toBeUndefined()
  })
})

describe('a query', () => {
  const at = (text: string) => page.prepareQuery(queryOf(`http://localhost/page?${text}`))

  test('is prepared once for equal texts', () => {
    expect(at('seqno=5&after=3')).toBe(at('seqno=5&after=3'))
    expect(at('seqno=5&after=3').key).toBe(page.prepare(from({ seqno: 5, after: 3 })).key)
    expect(at('seqno=5')).not.toBe(at('seqno=6'))
    expect(at('seqno=5&api_key=x')).not.toBe(at('seqno=5&api_key=x'))
  })

  test('is another one for another method', () => {
    const other = method({ ...described, name: 'other', params: { seqno: int32({}) }, call: () => null })
    const query = queryOf('http://localhost/page?seqno=9')
    expect(other.prepareQuery(query)).not.toBe(page.prepareQuery(query))
  })

  test('that is refused is refused again', () => {
    for (let i = 0; i < 2; i++) expect(() => at('seqno=x')).toThrow('failed to parse seqno')
  })
})
