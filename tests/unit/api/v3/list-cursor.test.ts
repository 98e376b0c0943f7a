import { describe, expect, test } from 'bun:test'
import { listCursors } from '../../../../src/api/v3/list-cursor.ts'
import { V3_METHODS } from '../../../../src/api/v3/method-table.ts'
import { parametersOf, sentParameters } from '../../../../src/api/v3/query-parameters.ts'
import { failureOf } from '../../../support/failure.ts'

const PLACE = Buffer.from('00000039', 'hex')
const account = (fill: number) => ({ workchain: 0, hash: Buffer.alloc(32, fill) })
const OF = { owner_address: [account(1)], limit: 10, offset: 0, sort: 'desc', start_lt: 5n, cursor: undefined }
const cursor = listCursors('jetton/wallets', OF).write(PLACE)

test('the cursor of a list gives its place again, whatever page of it is asked for', () => {
  const again = { ...OF, limit: 1, offset: 7, cursor, owner_address: [account(1)] }
  expect(listCursors('jetton/wallets', again).read(cursor)).toEqual(PLACE)
})

describe('the cursor is refused', () => {
  const cases: Record<string, Record<string, unknown>> = {
    'by another owner': { ...OF, owner_address: [account(2)] },
    'by more owners': { ...OF, owner_address: [account(1), account(1)] },
    'where a filter is missing': { ...OF, start_lt: undefined },
    'by another value': { ...OF, start_lt: 6n },
    'in the other order': { ...OF, sort: 'asc' },
  }
  for (const [name, values] of Object.entries(cases))
    test(name, () => expect(failureOf(() => listCursors('jetton/wallets', values).read(cursor))).toBe('invalid'))
  test('by another method', () =>
    expect(failureOf(() => listCursors('jetton/masters', OF).read(cursor))).toBe('invalid'))
  test('when it is cut', () => {
    for (let length = 0; length < 4; length++)
      expect(failureOf(() => listCursors('jetton/wallets', OF).read(cursor.subarray(0, length)))).toBe('invalid')
  })
})

test('no list takes the cursor of another method', () => {
  const other = listCursors('other', {}).write(PLACE).toString('base64url')
  const listed = V3_METHODS.filter((method) => method.verb === 'get' && 'cursor' in method.params)
  expect(listed.length).toBeGreaterThan(15)
  for (const method of listed) {
    if (method.verb !== 'get') continue
    const needed = `seqno=1&domain=a.ton&msg_hash=${'a'.repeat(64)}&address=0:${'a'.repeat(64)}&contract_address=0:${'a'.repeat(64)}`
    const known = needed.split('&').filter((pair) => pair.split('=')[0]! in method.params)
    const sent = sentParameters(`http://x/?${[...known, `cursor=${other}`].join('&')}`)
    expect(() => method.prepare(parametersOf(sent, method.params)), method.name).toThrow(
      /the cursor is of another list/,
    )
  }
})
