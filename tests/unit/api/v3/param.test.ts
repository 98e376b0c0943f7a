import { describe, expect, test } from 'bun:test'
import * as kinds from '../../../../src/api/v3/param.ts'

const HASH = 'ab'.repeat(32)

test('of a scalar that is repeated the last one counts', () => {
  expect(kinds.int32().read(['1', '2'], 'n')).toBe(2)
  expect(kinds.int32().read([], 'n')).toBeUndefined()
})

test('a list is parted by commas only where the whole is no value', () => {
  expect(kinds.hashes().read([`${HASH},${HASH}`, HASH], 'hash')).toHaveLength(3)
  expect(kinds.hashes().read([], 'hash')).toEqual([])
  expect(() => kinds.hashes().read([`${HASH},x`], 'hash')).toThrow(
    'failed to decode: error converting value for index 1 of "hash": "x" is not a hash',
  )
})

test('long values are shown in part', () => {
  expect(() => kinds.hash().read(['x'.repeat(5000)], 'hash')).toThrow(/"x{100}…" is not a hash/)
})

describe('pages', () => {
  const { limit, offset, sort, cursor } = kinds.PAGE
  test('have the bounds of the reference', () => {
    expect([limit.read([], 'limit'), limit.read(['0'], 'limit'), limit.read(['-5'], 'limit')]).toEqual([100, 1, 1])
    expect(() => limit.read(['1001'], 'limit')).toThrow('limit is not allowed: 1001 > 1000')
    expect([offset.read([], 'offset'), offset.read(['-1'], 'offset')]).toEqual([0, 0])
    expect([sort.read([], 'sort'), sort.read(['A'], 'sort')]).toEqual(['desc', 'asc'])
  })
  test('begin at a cursor', () => {
    expect(cursor.read(['AQID'], 'cursor')).toEqual(Buffer.of(1, 2, 3))
    expect(() => cursor.read(['*'], 'cursor')).toThrow(/is not a cursor/)
  })
})

test('what is required is asked for, with the status of the reference', () => {
  const param = kinds.required(kinds.hash(), 'hash is required', 401)
  expect(() => param.read([], 'hash')).toThrow(expect.objectContaining({ kind: 'unsupported', code: 401 }))
  expect(() => kinds.requiredList(kinds.hashes(), 'none').read([], 'hash')).toThrow(
    expect.objectContaining({ kind: 'invalid', message: 'none' }),
  )
})
