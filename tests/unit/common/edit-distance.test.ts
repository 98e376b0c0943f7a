import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { editDistance, nearestWord, suggestion } from '../../../src/common/edit-distance.ts'

describe('edit distance', () => {
  test.each([
    ['', '', 0],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['abc', '', 3],
  ])('%p to %p is %p', (a, b, distance) => expect(editDistance(a, b)).toBe(distance))

  test('is a metric', () => {
    const word = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c))
      }),
    )
  })
})

test('the nearest word is near, or there is none', () => {
  expect(nearestWord('lisen', ['listen', 'log', 'data'])).toBe('listen')
  expect(nearestWord('payments_retian', ['payments_rps', 'payments_retain'])).toBe('payments_retain')
  expect(nearestWord('colour', ['listen', 'log', 'data'])).toBeUndefined()
  expect(nearestWord('payments_nope', ['payments_rps'])).toBeUndefined()
})

test('what all words begin with does not make them near', () => {
  const known = ['TONLITH_CORS', 'TONLITH_LISTEN']
  expect(suggestion('TONLITH_NOPE', known, 'TONLITH_')).toBe('')
  expect(suggestion('TONLITH_LISEN', known, 'TONLITH_')).toBe('; did you mean TONLITH_LISTEN?')
})
