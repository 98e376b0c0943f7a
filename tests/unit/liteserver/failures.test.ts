import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { isFault, isMaybePruned, isMomentary, isNotApplied, isNotReady } from '../../../src/liteserver/failures.ts'

const said = (code: number, message: string): TonlithError => new TonlithError('liteserver', message, { code })

describe('what a liteserver says', () => {
  test.each([
    [652, 'timeout', true],
    [653, 'cancelled', true],
    [228, 'too many queries wait for an answer', true],
    [0, 'timeout', true],
    [0, 'Ratelimit exceeded', true],
    [0, 'node not synced', true],
    [651, 'not in db', false],
    [-400, 'invalid BlockIdExt', false],
    [0, 'cannot send external message : duplicate message', false],
    [0, 'cannot apply external message to current state : valid_until timeout', false],
  ])('%d %s: about its moment: %p', (code, message, expected) => {
    expect(isMomentary(said(code, message))).toBe(expected)
  })

  test.each([
    [651, 'too big masterchain block seqno', true],
    [651, 'cannot find block (-1,8000000000000000) seqno=5: seqno not in db', true],
    [602, "state already gc'd", true],
    [-400, 'cannot compute block with specified transaction: lt not in db', true],
    [0, 'cannot locate transaction in block with specified logical time', true],
    [0, 'cannot load block (0,8000000000000000,7) with specified transaction: not in db', true],
    [0, 'transaction hash mismatch', false],
    [-400, 'invalid BlockIdExt', false],
    [621, 'unknown query', false],
  ])('%d %s: an archive may do better: %p', (code, message, expected) => {
    expect(isMaybePruned(said(code, message))).toBe(expected)
  })

  test.each([
    [651, 'block is not applied', true],
    [651, 'not in db', false],
    [0, 'message not applied', false],
  ])('%d %s: another one may be ahead: %p', (code, message, expected) => {
    expect(isNotApplied(said(code, message))).toBe(expected)
  })

  test('not ready is a code', () => {
    expect([isNotReady(said(651, '')), isNotReady(said(652, '')), isNotReady(new Error('651'))]).toEqual([
      true,
      false,
      false,
    ])
  })
})

test('lies and garbage are faults, errors are not', () => {
  const kinds = ['proof', 'malformed', 'liteserver', 'timeout', 'connection', 'invalid', 'notFound'] as const
  expect(kinds.filter((kind) => isFault(new TonlithError(kind, '')))).toEqual(['proof', 'malformed'])
  expect([isFault(new Error('proof')), isMomentary(new TonlithError('timeout', 'timeout'))]).toEqual([false, false])
})
