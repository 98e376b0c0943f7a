import { afterEach, beforeEach, expect, test } from 'bun:test'
import { noteScope, readScope, settleScope } from '../../../src/store/index-scope.ts'
import { failureOf } from '../../support/failure.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

const [ONE, TWO] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`]
const [EMPTY, FILLED] = [true, false]

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const settle = (chosen: string[] | undefined, empty: boolean) => settleScope(temporary.index, chosen, empty)
const scope = () => readScope(temporary.index)

test('an empty index is about what is chosen, or about all accounts', () => {
  expect(settle(undefined, EMPTY)).toBeUndefined()
  expect(settle([TWO, ONE], EMPTY)).toEqual([TWO, ONE])
  expect(scope()).toEqual([ONE, TWO])
  expect(settle([], EMPTY)).toBeUndefined()
  expect(scope()).toBeUndefined()
})

test('chosen accounts may change, to none too', () => {
  settle([ONE], EMPTY)
  expect(settle([ONE, TWO], FILLED)).toEqual([ONE, TWO])
  expect(settle([], FILLED)).toEqual([])
  noteScope(temporary.index, [TWO])
  expect(scope()).toEqual([TWO])
})

test('an index of all accounts does not become one of some, with what to do', () => {
  expect(settle(undefined, FILLED)).toBeUndefined()
  expect(settle([], FILLED)).toBeUndefined()
  expect(failureOf(() => settle([ONE], FILLED))).toBe('invalid')
  expect(() => settle([ONE], FILLED)).toThrow(/is about all accounts, and some are chosen: .*remove the folder/)
  expect(scope()).toBeUndefined()
})

test('an index of some accounts does not become one of all, with what to do', () => {
  settle([ONE], EMPTY)
  expect(failureOf(() => settle(undefined, FILLED))).toBe('invalid')
  expect(() => settle(undefined, FILLED)).toThrow(/is about chosen accounts, and none is chosen: .*accounts add/)
  expect(scope()).toEqual([ONE])
})
