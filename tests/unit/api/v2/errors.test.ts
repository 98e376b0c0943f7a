import { describe, expect, test } from 'bun:test'
import { bodyFailure, callFailure, failureHeaders, requestFailure } from '../../../../src/api/v2/errors.ts'
import { ERROR_KINDS, type ErrorKind, TonlithError } from '../../../../src/common/errors.ts'

const SECRET = 'at /srv/app/x.ts 10.1.2.3:4567'
const of = (kind: ErrorKind, message: string, code?: number) =>
  new TonlithError(kind, message, code === undefined ? {} : { code })

describe('the failure of a call', () => {
  const table: [ErrorKind, number][] = [
    ['invalid', 422],
    ['notFound', 404],
    ['conflict', 409],
    ['unsupported', 501],
    ['liteserver', 500],
    ['timeout', 504],
    ['connection', 503],
    ['unavailable', 503],
    ['proof', 500],
    ['malformed', 500],
    ['limit', 500],
    ['internal', 500],
  ]

  test('has a status for every kind', () => {
    expect(table.map(([kind]) => kind).sort()).toEqual((Object.keys(ERROR_KINDS) as ErrorKind[]).sort())
    for (const [kind, status] of table) expect([kind, callFailure(of(kind, 'x')).status]).toEqual([kind, status])
  })

  test('keeps words inside that are not meant for callers', () => {
    for (const kind of ['timeout', 'connection', 'unavailable', 'proof', 'malformed', 'limit', 'internal'] as const)
      expect(callFailure(of(kind, SECRET)).error).not.toContain('10.1.2.3')
    for (const thrown of [new Error(SECRET), SECRET, undefined, { message: SECRET }])
      expect(callFailure(thrown)).toEqual({ status: 500, error: 'internal error' })
  })

  test('says what errors say that name their status', () => {
    expect(callFailure(of('unavailable', 'too many calls under way', 503))).toEqual({
      status: 503,
      error: 'too many calls under way',
    })
    expect(callFailure(of('timeout', 'TVM: the contract ran too long', 504)).error).toContain('TVM')
  })

  test('has the seconds to wait where the server was too busy', () => {
    expect(failureHeaders(503)).toEqual({ 'retry-after': '1' })
    expect(failureHeaders(500)).toBeUndefined()
  })

  test('passes a liteserver’s words on, its code as a name', () => {
    expect(callFailure(of('liteserver', 'cannot find block', 651)).error).toBe(
      'LITE_SERVER_NOTREADY: cannot find block',
    )
    expect(callFailure(of('liteserver', "state already gc'd", 602)).error).toBe("LITE_SERVER_ERROR: state already gc'd")
    const refusal = 'cannot apply external message to current state : … exitcode=33'
    expect(callFailure(of('liteserver', refusal, -400)).error).toBe(`LITE_SERVER_UNKNOWN: ${refusal}`)
    expect(callFailure(of('liteserver', refusal)).error).toBe(`LITE_SERVER_UNKNOWN: ${refusal}`)
  })

  test('is 504 for every way in which a liteserver takes too long', () => {
    const timeout = { status: 504, error: 'LITE_SERVER_NETWORK timeout' }
    expect(callFailure(of('timeout', 'x'))).toEqual(timeout)
    expect(callFailure(of('liteserver', 'timeout', -400))).toEqual(timeout)
    expect(callFailure(of('liteserver', 'x', 652))).toEqual(timeout)
  })
})

test('the failure of reading a request is the caller’s', () => {
  for (const kind of ['invalid', 'malformed', 'limit'] as const)
    expect(requestFailure(of(kind, 'words'))).toEqual({ status: 422, error: 'words' })
  expect(requestFailure(new Error(SECRET)).status).toBe(500)
})

test('the failure of receiving a body tells size, encoding and slowness apart', () => {
  expect(bodyFailure(of('limit', 'too large request')).status).toBe(413)
  expect(bodyFailure(of('unsupported', 'x')).status).toBe(415)
  expect(bodyFailure(of('timeout', SECRET))).toEqual({ status: 408, error: 'request body timeout' })
  expect(bodyFailure(of('malformed', 'malformed JSON')).status).toBe(422)
})
