import { expect, test } from 'bun:test'
import { hasWholeTrace } from '../../../src/cli/whole-trace.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import type { TraceRecord } from '../../../src/model/index-records.ts'
import type { IndexReader } from '../../../src/store/queries/index-reader.ts'

const MESSAGE = { hash_norm: Buffer.alloc(32, 7) }

/** An index that has a trace of the message in this state, or none. */
const index = (state: TraceRecord['state'] | undefined, isOfChosen = false): IndexReader =>
  ({
    isOfChosen: () => isOfChosen,
    traces: () => ({ records: state === undefined ? [] : [{ state }] }),
  }) as unknown as IndexReader

test('an index tells all of a message once its trace goes on no more', () => {
  expect([undefined, index(undefined), index('pending')].map((each) => hasWholeTrace(each, MESSAGE))).toEqual([
    false,
    false,
    false,
  ])
  expect([index('complete'), index('broken')].map((each) => hasWholeTrace(each, MESSAGE))).toEqual([true, true])
})

test('an index of chosen accounts has no whole traces', () => {
  expect(hasWholeTrace(index('complete', true), MESSAGE)).toBe(false)
})

test('an index that cannot be read now has none either; a mistake of ours is told', () => {
  const failing = (error: Error): IndexReader =>
    ({
      isOfChosen: () => {
        throw error
      },
    }) as unknown as IndexReader
  expect(hasWholeTrace(failing(new TonlithError('malformed', 'a row is damaged')), MESSAGE)).toBe(false)
  expect(() => hasWholeTrace(failing(new TypeError('undefined is no function')), MESSAGE)).toThrow(TypeError)
})
