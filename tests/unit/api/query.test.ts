import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { queryOf } from '../../../src/api/query.ts'

const read = (query: string, name = 'a') => queryOf(`http://localhost/x?${query}`)(name)

test('the first occurrence of a repeated parameter counts', () => expect(read('a=1&a=2')).toBe('1'))
test('a list has all occurrences, in their order', () => {
  const query = queryOf('http://localhost/x?a=2&b=3&a=1&a&a=2')
  expect(query.all('a')).toEqual(['2', '1', '', '2'])
  expect(query.all('c')).toEqual([])
  expect(queryOf('http://localhost/x').all('a')).toEqual([])
})
test('a URL without a query has no parameter', () => expect(queryOf('http://localhost/x')('a')).toBeUndefined())
test('a name that is part of another is another', () => expect(read('aa=1&b=2')).toBeUndefined())
test('a parameter without a value is empty', () => {
  expect(read('a')).toBe('')
  expect(read('a=')).toBe('')
  expect(read('a=b=c')).toBe('b=c')
})
test('a comma does not split a value', () => expect(read('a=1,2%2C3')).toBe('1,2,3'))
test('a literal plus stays a plus, an escaped blank a blank', () => {
  expect(read('a=EQC9+MF/&b')).toBe('EQC9+MF/')
  expect(read('a=%2B%20')).toBe('+ ')
})
test('text that is no percent-encoding stays as it is', () => {
  expect(read('a=%zz')).toBe('%zz')
  expect(read('a=%ff%fe')).toBe('%ff%fe')
  expect(read('a=%')).toBe('%')
})
test('no name reaches a prototype', () => {
  expect(read('a=1', '__proto__')).toBeUndefined()
  expect(read('a=1', 'constructor')).toBeUndefined()
})
test('what was encoded is read back', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (name, value) => {
      expect(read(`x=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}`, name)).toBe(
        name === 'x' ? '1' : value,
      )
    }),
  )
})

test('equal queries are read once, but for long ones and those that hold a key', () => {
  const again = (query: string): boolean => {
    const [first, second] = [1, 2].map((host) => queryOf(`http://host${host}/x?${query}`))
    return first === second
  }
  expect(again('kept=1&a=2')).toBe(true)
  expect(queryOf('http://localhost/x?kept=1').isKept).toBe(true)
  for (const query of ['a=1&api_key=secret', 'api%5Fkey=secret', `a=${'1'.repeat(600)}`]) {
    expect(again(query)).toBe(false)
    expect(queryOf(`http://localhost/x?${query}`).isKept).toBe(false)
  }
})
test('of very many queries each is read as it is', () => {
  for (let i = 0; i < 3_000; i++) expect(read(`a=${i}`)).toBe(String(i))
  for (let i = 0; i < 3_000; i++) expect(read(`a=${i}`)).toBe(String(i))
})
